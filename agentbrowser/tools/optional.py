"""Tools that are off by default: browser_evaluate, browser_state and browser_emulate."""

from collections.abc import Mapping
from typing import Any, Final

from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.unseen import one_line
from agentbrowser.tools.calls import ToolCall
from agentbrowser.tools.results import ToolResult
from agentbrowser.tools.untrusted import as_json, quoted

_MAX_VALUE: Final = 20_000
_OF_TAB: Final = ("width", "height", "mobile")
"""Arguments that apply to one tab; the others apply to all tabs of its context."""


async def evaluate(call: ToolCall) -> ToolResult:
    """Run JavaScript, and return its value as JSON."""
    given = call.arguments
    # To decode all of a large value would hold the loop: 8 MB of small objects for 0.34 s.
    params = {"expression": given["expression"], "world": given.get("world", "isolated"), "asText": True}
    value = (await call.request("script/evaluate", {**params, **call.named_tab()}))["value"]
    text = one_line(value[: _MAX_VALUE + 1])
    if len(text) <= _MAX_VALUE:
        return ToolResult(text=text)
    return ToolResult(text=f"{text[:_MAX_VALUE]}\n... cut at {_MAX_VALUE} of {len(value)} characters")


async def state(call: ToolCall) -> ToolResult:
    """Keep the state of the default context under a name, restore it, or clear the cookies.

    The model never gets the state, which holds the user's credentials.

    Raises:
      InvalidParams: no state has this name.
      ResourceLimitExceeded: the client keeps too many states, or too large ones.
    """
    do, name = call.arguments["do"], call.arguments.get("name", "default")
    if do == "clear":
        await call.request("storage/clearCookies", {})
        return ToolResult(text="The cookies are gone.")
    kept = call.journal.states
    if do == "save":
        present = await call.request("storage/getState", {"indexedDB": True})
        call.journal.keep_state(name, present)
        kept_as = f"{cookie_count(present)} and the storage are kept as {as_json(name)}"
        return ToolResult(text=f"{kept_as}{without_databases(present)}.")
    if name not in kept:
        raise InvalidParams(
            f"No state is kept as {as_json(name)}.", path="name", expected=", ".join(kept) or "none yet"
        )
    await call.request("storage/setState", {"state": wire.load(kept[name])})
    return ToolResult(text=f"The state {as_json(name)} is restored; reload the page to use it.")


def cookie_count(state: Mapping[str, Any]) -> str:
    """Return the number of cookies of a state in words."""
    count = len(state["cookies"])
    return "1 cookie" if count == 1 else f"{count} cookies"


def without_databases(state: Mapping[str, Any]) -> str:
    """Return the words for the databases that a state lacks; none if it has all."""
    unsaved = state.get("unsaved", ())
    named = [f"{quoted(one['database'])} of {quoted(one['origin'])} ({quoted(one['reason'])})" for one in unsaved]
    return f", without the databases {', '.join(named)}" if named else ""


async def emulate(call: ToolCall) -> ToolResult:
    """Set what the page sees of its device.

    Raises:
      InvalidParams: nothing is given, or a size or a position is incomplete.
    """
    given = call.arguments
    requests = [
        (
            "emulate/setViewport",
            _together(call, ("width", "height")),
            {"isMobile": given.get("mobile"), "hasTouch": given.get("mobile")},
        ),
        ("emulate/setUserAgent", {"userAgent": given.get("user_agent")}, {}),
        ("emulate/setGeolocation", _together(call, ("latitude", "longitude")), {}),
        ("emulate/setOffline", {"offline": given.get("offline")}, {}),
    ]
    wanted = [(method, needed | _given(more)) for method, needed, more in requests if _given(needed)]
    if not wanted:
        raise InvalidParams("Nothing to emulate is given; mobile needs width and height.", path="arguments")
    tab = await call.tab()
    for method, params in wanted:
        await call.request(method, {**params, "pageId": tab})
    values = {name: f"{name} {as_json(given[name])}" for name in sorted(set(given) - {"tab"})}
    of_tab = [text for name, text in values.items() if name in _OF_TAB]
    shared = [text for name, text in values.items() if name not in _OF_TAB]
    parts = [(f"set on tab {tab}", of_tab), ("set on this and its other tabs", shared)]
    return ToolResult(text="\n".join(f"{where}: {', '.join(texts)}" for where, texts in parts if texts))


def _given(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}


def _together(call: ToolCall, names: tuple[str, ...]) -> dict[str, Any]:
    values = _given({name: call.arguments.get(name) for name in names})
    if values and len(values) < len(names):
        raise InvalidParams(f"{' and '.join(names)} must be given together.", path=names[0])
    return values
