"""agent/extract: typed data from a page, without a language model."""

from typing import TYPE_CHECKING, Any, Final

import attrs

from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Scope, page_method
from agentbrowser.protocol.types.extract import (
    MAX_PROPERTIES,
    MAX_SCHEMA_BYTES,
    MAX_SCHEMA_PROPERTIES,
    AgentExtractResult,
    ExtractionMode,
    ExtractionSchema,
)
from agentbrowser.protocol.types.fields import field, milliseconds
from agentbrowser.protocol.types.observe import SettleOptions
from agentbrowser.protocol.types.selector import Selector, parse_optional_selector

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

_MAX_LEVELS: Final = 2


@attrs.frozen(kw_only=True)
class ExtractParams:
    """The schema of the data, and the part of the page to extract it from."""

    schema: ExtractionSchema
    instruction: str | None = field(default=None, maximum=2000)
    """A description of the data in words, which decides where names are ambiguous."""
    mode: ExtractionMode | None = None
    """``list`` and ``table`` return an array of the objects that the schema describes."""
    selector: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    """The part of the page to search; the whole page when absent."""
    min_confidence: float = field(default=0.5, minimum=0, maximum=1)
    """Less probable values are left out, and listed in ``fields``. If a required one is, there is no data."""
    include_source_refs: bool = False
    max_items: int = field(default=500, minimum=1, maximum=5000)
    cursor: str | None = field(default=None, pattern="[0-9]{1,9}")
    """The ``nextCursor`` of the extraction to continue."""
    settle: bool | SettleOptions = True
    """The wait for the effects of the client's last actions; false for none."""
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()

    @staticmethod
    def check_size(raw: Any) -> None:
        """Reject a schema that is too large to be read on the loop."""
        schema = raw.get("schema") if isinstance(raw, dict) else None
        if schema is not None and (size := len(wire.dump(schema))) > MAX_SCHEMA_BYTES:
            expected = f"at most {MAX_SCHEMA_BYTES} bytes as JSON"
            raise InvalidParams("schema is too large.", path="schema", expected=expected, got=str(size))

    def check(self) -> None:
        """Reject a schema that is nested too deep, that has too many properties, or that describes nothing."""
        _check(self.schema, "schema", 0)
        if (count := _count_properties(self.schema)) > MAX_SCHEMA_PROPERTIES:
            expected = f"at most {MAX_SCHEMA_PROPERTIES} properties in all"
            raise InvalidParams("schema has too many properties.", path="schema", expected=expected, got=str(count))


@page_method("agent/extract", ExtractParams, scope=Scope.READONLY)
async def extract(tab: "Tab", params: ExtractParams) -> AgentExtractResult:
    """Return the data on the page that fits the schema. [asyncio]

    Raises:
      InvalidParams: the schema is nested deeper than two levels, or describes nothing.
      ElementNotFound, SelectorAmbiguous: of the selector.
      ResourceLimitExceeded: the page holds more than 8 MB of data.
    """
    return await tab.extract(params)


def _count_properties(schema: ExtractionSchema) -> int:
    properties = (schema.properties or {}).values()
    inner = 0 if schema.items is None else _count_properties(schema.items)
    return len(properties) + inner + sum(map(_count_properties, properties))


def _check(schema: ExtractionSchema, path: str, level: int, *, is_in_array: bool = False) -> None:
    """Reject a schema that is nested too deep, or that has no properties where it needs them."""
    if level > _MAX_LEVELS or (is_in_array and schema.type == "array"):
        raise InvalidParams(f"{path} is nested too deep.", path=path, expected="at most 2 levels", got="more")
    properties = schema.properties or {}
    if schema.type == "object" and not properties:
        raise InvalidParams(
            f"{path}.properties must name what to look for.", path=path, expected="properties", got="none"
        )
    if len(properties) > MAX_PROPERTIES:
        raise InvalidParams(
            f"{path}.properties are too many.",
            path=path,
            expected=f"at most {MAX_PROPERTIES}",
            got=str(len(properties)),
        )
    if schema.type == "object":
        for name, inner in properties.items():
            _check(inner, f"{path}.properties.{name}", level + 1)
    elif schema.type == "array" and schema.items is not None:
        _check(schema.items, f"{path}.items", level, is_in_array=True)
