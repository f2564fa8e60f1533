"""browser_look, browser_extract and browser_screenshot."""

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from agentbrowser.client.outcomes import Image
from agentbrowser.protocol.errors import InvalidParams, ResourceLimitExceeded
from agentbrowser.tools.calls import ToolCall
from agentbrowser.tools.results import ToolResult, look_lines
from agentbrowser.tools.steps import part_of, selector_of
from agentbrowser.tools.untrusted import as_json, fenced, quoted

MAX_TOKENS: Final = 2_000
_LEAST_TOKENS, _MOST_TOKENS = 100, 25_000
_CHARACTERS_PER_TOKEN: Final = 3.5
_CHARACTERS_AT_A_TIME: Final = 100_000
"""Characters that are searched at a time: some 2 ms."""
_MAX_FIND: Final = 1000
"""Characters of words to find: they are compared with each of many lines."""
_CURSOR: Final = re.compile(r"t?(\d{1,18})", re.ASCII)
_REF: Final = re.compile(r"@[\w.-]+")
_CUT_VALUE: Final = re.compile(r' value="(?:[^"\\]|\\.)*…"')
_MOST_OWN_LINES: Final = 3
_MOST_CHARACTERS: Final = round(_MOST_TOKENS * _CHARACTERS_PER_TOKEN)
_MOST_CHARACTERS_OF_ITEM: Final = 20_000
_MOST_ELEMENTS: Final = 2000
_TOKENS_PER_ELEMENT: Final = 10
"""Low estimate, so that the tokens end a look, and not the number of elements."""
_MOST_LOOKS_TO_FIND: Final = 5
"""A call has 50 s, and a look at 5,000 elements takes one or two on a busy machine."""
_FIND_PARAMS: Final = {"maxElements": _MOST_ELEMENTS, "maxTokens": 100_000, "text": "full"}
_SURE: Final = 0.8
"""Least confidence of a value that the model need not check."""
_TYPES: Final = ("number", "integer", "boolean", "date", "url", "email", "list")
_FORMATS: Final = {"date": "date", "url": "uri", "email": "email"}

MAX_IMAGE_SIDE: Final = 7_900
"""Some hosts refuse images with a side of 8,000 pixels."""
MAX_IMAGE_BYTES: Final = 700_000
"""As base64 below 1 MB, above which some hosts refuse a result."""
_ATTEMPTS: Final = ((75, 1.0), (45, 1.0), (15, 1.0), (15, 0.6), (15, 0.3), (15, 0.1))
"""Quality of an image, and the share of a whole page's height that it shows, until it is small enough."""


async def look(call: ToolCall) -> ToolResult:
    """Return what the page shows, or what it has logged or loaded.

    Raises:
      InvalidParams: the words to find are too long, the cursor is no one's, or the tokens are too few.
    """
    show = call.arguments.get("show", "elements")
    words, cursor = call.arguments.get("find"), call.arguments.get("cursor")
    if words and len(words) > _MAX_FIND:
        expected = f"at most {_MAX_FIND} characters"
        raise InvalidParams(f"find must be {expected}, got {len(words)}.", path="find", expected=expected)
    if show in ("console", "network"):
        return _logged(call, show, await call.journal.lines(show, await call.tab()))
    if show == "text":
        content = await call.request("observe/content", {"format": "markdown", **call.named_tab()})
        return await _text(call, content["content"])
    params: dict[str, Any] = {"format": "text", **call.named_tab()}
    if show == "changes":
        params["incremental"] = True
    if cursor and words and _REF.fullmatch(words):
        return ToolResult(text="\n".join(await _whole_value(call, words, cursor)))
    if cursor:
        params["cursor"] = cursor
    tokens = _tokens(call)
    elements = min(tokens // _TOKENS_PER_ELEMENT, _MOST_ELEMENTS)
    params |= _FIND_PARAMS if words else {"maxElements": elements, "maxTokens": tokens}
    seen = await call.request("agent/observe", params)
    lines = await _found(call, params, seen, words) if words else look_lines(seen)
    return ToolResult(text="\n".join([*lines, *await call.since_then()]))


async def _found(call: ToolCall, params: dict[str, Any], seen: Mapping[str, Any], words: str) -> list[str]:
    """Return the lines with these words in a look, and in those that go on behind it, below its own first lines.

    Args:
      params: those of the look.
    """
    lines, rest = _without_rest(seen)
    keep = 0 if "cursor" in params else _own_lines(lines[:_MOST_OWN_LINES])
    own, lines, looks = lines[:keep], lines[keep:], 1
    while rest and looks < _MOST_LOOKS_TO_FIND:
        seen = await call.request("agent/observe", {**params, "cursor": seen["nextCursor"]})
        more, rest = _without_rest(seen)
        lines += more
        looks += 1
    found = await _matching_lines(call, "\n".join(lines), words, is_quoted=True)
    if _REF.fullmatch(words) and any(_CUT_VALUE.search(line) for line in found):
        found += await _whole_value(call, words)
    return [*own, *found, *([f"not searched: {rest}"] if rest else ())]


def _without_rest(seen: Mapping[str, Any]) -> tuple[list[str], str]:
    """Return the lines of a look, and apart from them the one with the cursor of what it leaves out; "" without one."""
    lines, cursor = look_lines(seen), seen.get("nextCursor")
    rest = [at for at, line in enumerate(lines) if cursor and line.endswith(f"; cursor {cursor}")]
    return lines, lines.pop(rest[-1]) if rest else ""


def _logged(call: ToolCall, show: str, lines: Sequence[str]) -> ToolResult:
    """Return the latest lines of a journal, as many as fit."""
    if words := call.arguments.get("find"):
        lines = [line for line in lines if words.casefold() in line.casefold()]
    room, kept = _tokens(call) * _CHARACTERS_PER_TOKEN, list[str]()
    for line in reversed(lines):
        room -= len(line)
        if room < 0 and kept:
            kept.append(f"... {len(lines) - len(kept)} earlier lines")
            break
        kept.append(line)
    return ToolResult(text="\n".join(reversed(kept)) or f"nothing in {show}")


async def _text(call: ToolCall, content: str) -> ToolResult:
    """Return the words of the page, as many as fit, or its lines with the words to find."""
    if words := call.arguments.get("find"):
        return ToolResult(text=fenced("\n".join(await _matching_lines(call, content, words))))
    return ToolResult(text=_cut(call, content, call.arguments.get("cursor")))


async def _whole_value(call: ToolCall, ref: str, cursor: str | None = None) -> list[str]:
    """Return the whole value of a field, which looks cut off; nothing for an element without one."""
    params = {"selector": selector_of(ref), "properties": ["value"], **call.named_tab()}
    value = (await call.request("observe/element", params)).get("value")
    return [_cut(call, value, cursor)] if isinstance(value, str) else []


def _cut(call: ToolCall, content: str, cursor: str | None) -> str:
    """Return as much of a text of the page as fits, fenced; the cursor is the position of the rest."""
    start = _position(cursor)
    end = start + round(_tokens(call) * _CHARACTERS_PER_TOKEN)
    if end < len(content):
        end = content.rfind("\n", start + 1, end) + 1 or end
    rest = f"\n... {len(content) - end} more characters; cursor t{end}" if end < len(content) else ""
    return fenced(content[start:end]) + rest


def _position(cursor: str | None) -> int:
    digits = _CURSOR.fullmatch(cursor or "t0")
    if digits is None:
        raise InvalidParams("cursor must be that of the last text.", path="cursor", expected="t and digits")
    return int(digits[1])


def _own_lines(lines: Sequence[str]) -> int:
    """Return the number of lines before the page's own: while a dialog is open, a look shows nothing else."""
    return next((at for at, line in enumerate(lines) if line.startswith("dialog ")), 0) + 1


async def _matching_lines(call: ToolCall, text: str, words: str, *, is_quoted: bool = False) -> list[str]:
    """Return the first lines with these words in any case, and the number of further ones.

    Args:
      is_quoted: the text quotes the page's words, so that a part of a line is quoted anew: it may begin within them.
    """
    needle, room = words.casefold(), round(_tokens(call) * _CHARACTERS_PER_TOKEN)
    kept, more = list[str](), 0
    for part, is_cut in _parts(text, overlap=len(needle) - 1):
        await call.pause()
        if needle not in part.casefold():
            continue
        for line in part.split("\n"):
            if (at := line.casefold().find(needle)) < 0:
                continue
            if kept and len(line) > room:
                room, more = 0, more + 1
            else:
                shown = _around(line, at, room)
                kept.append(as_json(shown) if is_quoted and (is_cut or shown != line) else shown)
                room -= len(line)
    if more:
        kept.append(f"... {more} more lines with these words")
    return kept or ["no line has these words"]


def _parts(text: str, *, overlap: int) -> Iterator[tuple[str, bool]]:
    """Yield whole lines of a text, or parts of those that are too long, which overlap; True if a line is cut."""
    start, before = 0, ""
    while len(text) - start > _CHARACTERS_AT_A_TIME:
        end = start + _CHARACTERS_AT_A_TIME
        if (line_end := text.rfind("\n", start, end)) >= 0:
            yield before + text[start:line_end], bool(before)
            start, before = line_end + 1, ""
        else:
            yield f"{before}{text[start:end]} ...", True
            start, before = end - overlap, "... "
    yield before + text[start:], bool(before)


def _around(line: str, at: int, limit: int) -> str:
    """Return what is around a position of a line, if the whole line is longer than the limit."""
    if len(line) <= limit:
        return line
    start = max(0, min(at - limit // 2, len(line) - limit))
    return f"{'... ' if start else ''}{line[start : start + limit]}{' ...' if start + limit < len(line) else ''}"


def _tokens(call: ToolCall) -> int:
    given = int(call.arguments.get("max_tokens", MAX_TOKENS))
    if given < _LEAST_TOKENS:  # the heading alone can take as many
        expected = f"at least {_LEAST_TOKENS}"
        raise InvalidParams(f"max_tokens must be {expected}, got {given}.", path="max_tokens", expected=expected)
    return min(given, _MOST_TOKENS)


async def extract(call: ToolCall) -> ToolResult:
    """Return typed data: a record, or a line for each item of a list.

    Raises:
      InvalidParams: a field has an unknown type, or is given twice.
    """
    properties = dict[str, Any]()
    for name, field in map(_field, call.arguments["fields"]):
        if name in properties:
            raise InvalidParams(f"{quoted(name)} is given twice.", path="fields", expected="each name once")
        properties[name] = field
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    params: dict[str, Any] = {"schema": schema, "mode": "single"}
    if (item := call.arguments.get("list")) is not None:
        params = {"schema": {"type": "array", "items": schema}, "mode": "list", "instruction": item}
    return await extracted(call, params)


async def extracted(call: ToolCall, params: dict[str, Any]) -> ToolResult:
    """Return the data that fits the schema in these params, in the part of the page that the call names."""
    if within := call.arguments.get("within"):
        params["selector"] = part_of(within)
    if cursor := call.arguments.get("cursor"):
        params["cursor"] = cursor
    result = await call.request("agent/extract", {**params, **call.named_tab()})
    if not result["success"]:
        return ToolResult(
            text=f"nothing fits: {quoted(result.get('error') or '')}\nhint: Call browser_look, and name the fields as "
            "the page does.",
            is_error=True,
        )
    data = result["data"]
    items = data if isinstance(data, list) else [data]
    missing = _missing(params["schema"], result, items)
    return ToolResult(text="\n".join([*_json_lines(items), *_notes(result, data, missing)]))


def _json_lines(items: Sequence[Any]) -> list[str]:
    """Return a line for each item, as many as hosts accept."""
    room, lines = _MOST_CHARACTERS, list[str]()
    for count, item in enumerate(items):
        lines.append(as_json(item, _MOST_CHARACTERS_OF_ITEM))
        room -= len(lines[-1])
        if room < 0 and count:
            return [*lines[:-1], f"... {len(items) - count} more items, for which there is no room"]
    return lines


def _field(field: str) -> tuple[str, dict[str, Any]]:
    name, _, kind = (part.strip() for part in field.rpartition(":"))
    if not name:
        name, kind = field.strip(), ""
    if kind and kind not in (*_TYPES, "string", "text"):
        raise InvalidParams(
            f"The type of {quoted(name)} must be one of {', '.join(_TYPES)}.", path="fields", expected=", ".join(_TYPES)
        )
    if kind == "list":
        return name, {"type": "array", "items": {"type": "string"}}
    if kind in _FORMATS:
        return name, {"type": "string", "format": _FORMATS[kind]}
    return name, {"type": kind if kind in _TYPES else "string"}


def _missing(schema: Mapping[str, Any], result: Mapping[str, Any], items: Sequence[Any]) -> list[str]:
    """Return notes on the properties without a value: a model overlooks what is not there."""
    properties = (schema.get("items") or schema).get("properties") or {}
    if not properties or not items or not all(isinstance(item, dict) for item in items):
        return []
    fields = result.get("fields") or {}
    counts = {name: sum(name not in item for item in items) for name in properties}
    counts = {name: count for name, count in counts.items() if not (fields.get(name) or {}).get("withheld")}
    absent = [quoted(name) for name, count in counts.items() if count == len(items)]
    notes = [f"not found: {', '.join(absent)}"] if absent else []
    if some := [f"{quoted(name)} in {count}" for name, count in counts.items() if 0 < count < len(items)]:
        notes.append(f"missing: {', '.join(some)}")
    return notes


def _notes(result: dict[str, Any], data: Any, missing: Sequence[str]) -> list[str]:
    """Return the line on the data as a whole, and the one of the cursor."""
    notes = [f"{len(data)} items"] if isinstance(data, list) else []
    if (confidence := result.get("confidence")) is not None:
        notes.append(f"confidence {confidence:.2f}")
    notes += missing
    given = {name: field for name, field in (result.get("fields") or {}).items() if "source" in field}
    if doubtful := [
        f"{quoted(name)} {field['confidence']:.2f}"
        for name, field in given.items()
        if field["confidence"] < _SURE and not field.get("withheld")
    ]:
        notes.append(f"less certain: {', '.join(doubtful)}")
    if conflicts := [
        f"{quoted(name)}: {quoted(field['conflict'])}" for name, field in given.items() if field.get("conflict")
    ]:
        notes.append(f"the page's own data differs: {', '.join(conflicts)}")
    if withheld := [name for name, field in (result.get("fields") or {}).items() if field.get("withheld")]:
        notes.append(f"left out as doubtful: {', '.join(map(quoted, withheld))}")
    if dropped := result.get("dropped"):
        notes.append(f"{dropped} dropped")
    if result.get("truncated"):
        notes.append("the page is larger than what was searched")
    cursor = [f"cursor {result['nextCursor']}"] if result.get("nextCursor") else []
    return [f"({', '.join(notes)})", *cursor] if notes else cursor


async def screenshot(call: ToolCall) -> ToolResult:
    """Return an image of the viewport, of the whole page, or of an element, no larger than hosts accept.

    Raises:
      InvalidParams: marks are drawn on the viewport only.
      ResourceLimitExceeded: even the poorest image of the viewport or the element is too large.
    """
    of, full, marks = (call.arguments.get(name) for name in ("of", "full", "marks"))
    if marks and (of or full):
        raise InvalidParams("marks can't be drawn with of or full: they are for the viewport.", path="marks")
    if marks:
        return _shown(await _marked(call), "the refs are those of browser_look")
    options: dict[str, Any] = {"fullPage": True} if full else {}
    params = {"pageId": await call.tab(), **({"selector": selector_of(of)} if of else {})}
    note, height, size = "", 0, 0
    for quality, share in _ATTEMPTS if full else _ATTEMPTS[:3]:
        options["quality"] = quality
        image = await call.request("observe/screenshot", {**params, "options": options})
        height = max(height, image["height"])
        if full and image["height"] > (most := int(min(height, MAX_IMAGE_SIDE) * share)):
            note = f"cut at {most} of {height} pixels"
            options["clip"] = {"x": 0, "y": 0, "width": min(image["width"], MAX_IMAGE_SIDE), "height": most}
            image = await call.request("observe/screenshot", {**params, "options": options})
        if (size := len(image["data"]) * 3 // 4) <= MAX_IMAGE_BYTES:
            return _shown(image, note)
    raise ResourceLimitExceeded(
        f"The image has {size} bytes, and hosts accept {MAX_IMAGE_BYTES}.",
        hint="Take a smaller element with of.",
        resource="image",
        limit=MAX_IMAGE_BYTES,
        current=size,
    )


async def _marked(call: ToolCall) -> dict[str, Any]:
    look = await call.request(
        "agent/observe",
        {
            "annotateScreenshot": {"enabled": True, "labelFormat": "ref"},
            "text": "none",
            "viewportOnly": True,
            "includeMetadata": False,
            **call.named_tab(),
        },
    )
    image: dict[str, Any] = look["screenshot"]
    return image


def _shown(image: dict[str, Any], note: str) -> ToolResult:
    made = Image(base64.b64decode(image["data"]), format=image["format"], width=image["width"], height=image["height"])
    return ToolResult(text=", ".join([f"{made.width} x {made.height} pixels", *([note] if note else [])]), image=made)
