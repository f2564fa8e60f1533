"""Cookies, web storage and databases, with the rules that browsers enforce."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import attrs

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.fields import InvalidField, constraints, field, url_checked

MAX_COOKIES: Final = 1000
MAX_ORIGINS: Final = 100
MAX_ITEMS: Final = 5000
"""Items of web storage in a state, of all origins together: ten thousand take 30 ms on a loop."""
MAX_AREA_LENGTH: Final = 5 * 1024 * 1024
"""Limit of a browser for names and values of an origin, in UTF-16 units."""
MAX_RECORDS: Final = 1000
"""Records of the databases in a state, of all origins together; in one that is read, databases and stores count too."""
MAX_DATABASE_LENGTH: Final = 1024 * 1024
"""Limit of the databases in a state that is read, in characters of JSON."""

SameSite = Literal["Strict", "Lax", "None"]

_Check = tuple[str, bool, str, str]
"""A field, its validity, the expected value, and the given one."""

_MAX_COOKIE_BYTES: Final = 4096
_MAX_PATH: Final = 1024
_END_OF_TIME_S: Final = 253_402_300_799  # the last second of the year 9999, which is Playwright's limit
_VALUE: Final = re.compile(r"(?! )[^\x00-\x1f\x7f;]*(?<! )")
_NAME: Final = re.compile(r"(?! )[^\x00-\x1f\x7f;=]*(?<! )")
_AROUND: Final = re.compile(r"https?://(\[[0-9a-f:]+\]|[^\s/:?#\[\]]+)")
_PATH: Final = re.compile(rf"/[^\x00-\x1f\x7f;]{{0,{_MAX_PATH - 1}}}")


@attrs.frozen(kw_only=True)
class Cookie:
    """A cookie. A read cookie has domain, path and expires; a new one names its site by domain or by URL."""

    name: str
    value: str
    domain: str | None = attrs.field(default=None, metadata=url_checked("domain"))
    path: str | None = None
    """Path; ``/`` or the folder of the URL when absent."""
    url: str | None = attrs.field(default=None, metadata=url_checked("cookies"))
    expires: float | None = None
    """End in seconds since 1970. A cookie with -1, which is also the default, lives as long as its context."""
    http_only: bool | None = None
    secure: bool | None = None
    """True for https only; when absent, true if the URL is https."""
    same_site: SameSite | None = None
    partition_key: str | None = None
    """Site of the page around the cookie's own, such as ``https://example.com``: it gets the cookie only there."""
    has_cross_site_ancestor: bool | None = attrs.field(
        default=None, metadata=constraints(also="_crHasCrossSiteAncestor")
    )
    """True if a frame around is of another site; when absent, true unless ``partition_key`` is the own site."""

    @property
    def is_secure(self) -> bool:
        """Return True if only https sites get the cookie."""
        return self.secure if self.secure is not None else (self.url or "").startswith("https:")

    @property
    def site(self) -> tuple[str, str]:
        """Return the domain and the path of the cookie; a URL must be canonical."""
        if self.url is None:
            return self.domain or "", self.path or "/"
        parts = urlsplit(self.url)
        host = parts.netloc.removesuffix(f":{parts.port}")
        return host, self.path or parts.path.rpartition("/")[0] or "/"

    @property
    def is_embedded(self) -> bool:
        """Return True if a frame around that of the partitioned cookie is of another site."""
        if self.has_cross_site_ancestor is not None:
            return self.has_cross_site_ancestor
        around = (self.partition_key or "").partition("://")[2].lower()
        return not f".{self.site[0]}".lower().endswith(f".{around}")

    def invalid_field(self) -> InvalidField | None:
        """Return the field for which the browser would reject the cookie, or silently drop it."""
        return _first_invalid((*self._site_checks(), *self._content_checks(), *self._prefix_checks()))

    def _site_checks(self) -> Iterable[_Check]:
        both = "both" if self.domain is not None else "neither"
        yield "domain", (self.domain is None) is not (self.url is None), "given, or else url", both
        path = f"a path that begins with /, of at most {_MAX_PATH} characters without ;"
        yield "path", self.path is None or _PATH.fullmatch(self.path) is not None, path, "something else"

    def _content_checks(self) -> Iterable[_Check]:
        length = len((self.name + self.value).encode())
        plain = "text without control characters, ; or space at its ends"
        yield "name", _NAME.fullmatch(self.name) is not None, f"{plain}, and without =", "other text"
        yield "value", _VALUE.fullmatch(self.value) is not None, plain, "other text"
        yield "value", 0 < length <= _MAX_COOKIE_BYTES, f"1 to {_MAX_COOKIE_BYTES} bytes with name", f"{length} bytes"
        is_valid_time = self.expires is None or self.expires == -1 or 0 < self.expires <= _END_OF_TIME_S
        yield "expires", is_valid_time, "-1, or seconds since 1970 up to the year 9999", str(self.expires)
        yield "secure", self.is_secure or self.same_site != "None", 'true, as sameSite is "None"', "false"
        yield "secure", self.is_secure or self.partition_key is None, "true, as it has a partitionKey", "false"
        fits = (
            self.has_cross_site_ancestor is None
            if self.partition_key is None
            else _AROUND.fullmatch(self.partition_key)
        )
        yield "partitionKey", bool(fits), "a site, such as https://example.com", str(self.partition_key)

    def _prefix_checks(self) -> Iterable[_Check]:
        name = (self.name or self.value).lower()  # a browser sends a nameless cookie as its value alone
        as_prefix = "as the prefix of the name says"
        if name.startswith(("__secure-", "__host-", "__http-")):
            yield "secure", self.is_secure, f"true, {as_prefix}", "false"
        if name.startswith(("__http-", "__host-http-")):
            yield "httpOnly", self.http_only is True, f"true, {as_prefix}", "false"
        if name.startswith("__host-"):
            domain, path = self.site
            yield "path", path == "/", f"/, {as_prefix}", "another"
            yield "domain", not domain.startswith("."), f"a host without a dot before it, {as_prefix}", "one with a dot"


@attrs.frozen(kw_only=True)
class StorageItem:
    """An item of web storage."""

    name: str
    value: str


@attrs.frozen(kw_only=True)
class StoredRecord:
    """A record of an object store: as JSON, or in Playwright's encoding of values that JSON can't hold."""

    key: Any = None
    """Key; absent if the value holds it."""
    key_encoded: Any = None
    value: Any = None
    value_encoded: Any = None


@attrs.frozen(kw_only=True)
class StoreIndex:
    """An index of an object store."""

    name: str
    key_path: str | None = None
    key_path_array: list[str] | None = None
    multi_entry: bool = False
    unique: bool = False


@attrs.frozen(kw_only=True)
class ObjectStore:
    """An object store of a database."""

    name: str
    auto_increment: bool = False
    key_path: str | None = None
    key_path_array: list[str] | None = None
    records: list[StoredRecord] = attrs.field(factory=list)
    indexes: list[StoreIndex] = attrs.field(factory=list)


@attrs.frozen(kw_only=True)
class Database:
    """A database (IndexedDB) of an origin."""

    name: str = attrs.field(metadata=constraints(minimum=1))
    version: int = attrs.field(metadata=constraints(minimum=1))
    stores: list[ObjectStore] = attrs.field(factory=list)


@attrs.frozen(kw_only=True)
class UnsavedDatabase:
    """A database that a state can't hold."""

    origin: str
    database: str
    reason: str


@attrs.frozen(kw_only=True)
class OriginState:
    """Web storage and databases of an origin; ``session_storage`` is that of open pages."""

    origin: str = attrs.field(metadata=url_checked("origin"))
    local_storage: list[StorageItem] = attrs.field(factory=list)
    session_storage: list[StorageItem] | None = None
    indexed_db: list[Database] | None = field(default=None, wire="indexedDB")
    """Databases; a state has them if they were asked for."""

    def invalid_field(self) -> InvalidField | None:
        """Return the storage area that exceeds the browser's limit, if any."""
        areas = (("localStorage", self.local_storage), ("sessionStorage", self.session_storage or []))
        return _first_invalid(
            (name, (length := _length(area)) <= MAX_AREA_LENGTH, "at most 5 MB", f"{length} characters")
            for name, area in areas
        )


@attrs.frozen(kw_only=True)
class StorageState:
    """Cookies, web storage and databases of a context, without caches."""

    cookies: list[Cookie] = attrs.field(factory=list)
    origins: list[OriginState] = attrs.field(factory=list)
    unsaved: list[UnsavedDatabase] | None = None
    """Databases that were asked for and are left out; has no meaning in a state that is set."""

    def invalid_field(self) -> InvalidField | None:
        """Return the list that exceeds its limit, if any."""
        counts = (("cookies", len(self.cookies), MAX_COOKIES), ("origins", len(self.origins), MAX_ORIGINS))
        return _first_invalid(
            (name, count <= limit, f"at most {limit} items", f"{count} items") for name, count, limit in counts
        )


def check_items(state: Any, path: str) -> None:
    """Reject a state as received that has too many items of web storage or records, before any of them is read.

    Raises:
      InvalidParams: it has more than `MAX_ITEMS` or `MAX_RECORDS`.
    """
    origins = _lists_in([state], "origins")
    items = len([*_lists_in(origins, "localStorage"), *_lists_in(origins, "sessionStorage")])
    records = len(_lists_in(_lists_in(_lists_in(origins, "indexedDB"), "stores"), "records"))
    for count, limit, kind in ((items, MAX_ITEMS, "items of web storage"), (records, MAX_RECORDS, "records")):
        if count > limit:
            expected, got = f"at most {limit} {kind} in all origins", f"{count} {kind}"
            raise InvalidParams(f"{path} is too large.", path=f"{path}.origins", expected=expected, got=got)


def _lists_in(objects: Sequence[Any], name: str) -> list[Any]:
    """Return the entries of the lists that objects have under a name."""
    lists = [one.get(name) for one in objects if isinstance(one, dict)]
    return [entry for one in lists if isinstance(one, list) for entry in one]


def _first_invalid(rules: Iterable[_Check]) -> InvalidField | None:
    return next(((where, expected, got) for where, fits, expected, got in rules if not fits), None)


def _length(area: list[StorageItem]) -> int:
    return sum(len((item.name + item.value).encode("utf-16-le")) // 2 for item in area)
