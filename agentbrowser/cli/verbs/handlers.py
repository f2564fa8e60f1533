"""Handlers of the verbs. Most run a tool for models, so that a shell agent reads what other agents read."""

import argparse
import base64
import json
import re
from collections.abc import AsyncIterable, Awaitable, Callable, Container, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.cli.verbs import files
from agentbrowser.cli.verbs.outcome import FAILED, NOT_FOUND, Outcome, as_data, exit_code, for_shells
from agentbrowser.cli.verbs.session import ToolRunner
from agentbrowser.cli.verbs.table import BY_NAME, Verb
from agentbrowser.client.download import FileDownload
from agentbrowser.policy.filenames import safe_name
from agentbrowser.protocol.errors import ActionFailed, InvalidParams
from agentbrowser.protocol.types.event import DownloadEvent
from agentbrowser.tools.looks import extracted
from agentbrowser.tools.optional import cookie_count, without_databases
from agentbrowser.tools.results import ToolResult
from agentbrowser.tools.steps import URL_MARK, selector_of
from agentbrowser.tools.untrusted import quoted

_DOWNLOAD_ID: Final = re.compile(r"[0-9a-f]{32}")
NO_DOWNLOAD_HINT: Final = "Look at the page."
_DOWNLOAD_START_S: Final = 5.0
"""Time for a download to begin after its click."""
_IMAGE_SUFFIXES: Final = (".png", ".jpg", ".jpeg", "")
"""Suffixes of screenshots; a file without one is a JPEG."""
_STDIN: Final = "-"
_PATH_OF_STEP: Final = re.compile(r"steps\[0\](?:\.(\w+)|: )")


@attrs.frozen(kw_only=True)
class VerbCall:
    """A verb with its arguments, and where it was called."""

    arguments: argparse.Namespace
    cwd: str
    stdin: bytes
    upload_root: Path
    runner: ToolRunner

    async def tool(self, name: str, **arguments: Any) -> Outcome:
        """Run a tool, and return its outcome. [trio]"""
        return self.outcome(await self.runner.run(name, {"tab": self.arguments.tab, **arguments}))

    def outcome(self, result: ToolResult, *, failed: int = FAILED) -> Outcome:
        """Return the outcome of a tool's result.

        Args:
          failed: the exit code of a failure without an error of the protocol.
        """
        client = self.runner.client
        error = client.step_error if result.is_error else None
        code = 0 if not result.is_error else failed if error is None else exit_code(error)
        return Outcome(
            text=for_shells(result.text),
            exit_code=code,
            error=None if error is None else as_data(error),
            results=client.results,
        )

    def text_of(self, given: str) -> str:
        """Return a text argument, or standard input for ``-``, without the line break at its end."""
        if given != _STDIN:
            # Python decodes arguments with "surrogateescape": so come their bytes back.
            return files.decoded("The argument", given.encode("utf-8", "surrogateescape"))
        return self._stdin_text().removesuffix("\n").removesuffix("\r")

    async def read(self, name: str) -> str:
        """Return the text of a file, or standard input for ``-``. [trio]"""
        if name == _STDIN:
            return self._stdin_text()
        return await trio.to_thread.run_sync(files.read_text, files.path_in(self.cwd, name))

    def _stdin_text(self) -> str:
        return files.decoded("Standard input", self.stdin)


Handler = Callable[[VerbCall], Awaitable[Outcome]]


async def _open(call: VerbCall) -> Outcome:
    tab = {"tab": "new"} if call.arguments.new else {}
    return await call.tool("browser_navigate", url=call.arguments.url, **tab)


async def _move(call: VerbCall) -> Outcome:
    return await call.tool("browser_navigate", url=call.arguments.verb)


async def _look(call: VerbCall) -> Outcome:
    given = call.arguments
    shown = [name for name in ("text", "changes", "console", "network") if getattr(given, name)]
    if len(shown) > 1:
        raise InvalidParams(f"--{shown[0]} and --{shown[1]} exclude each other.")
    show = {"show": shown[0]} if shown else {}
    return await call.tool("browser_look", find=given.find, cursor=given.cursor, max_tokens=given.max_tokens, **show)


async def _step(call: VerbCall) -> Outcome:
    """Run a step of browser_act."""
    step = await _step_of(call)
    try:
        outcome = await call.tool("browser_act", steps=[step])
    except InvalidParams as invalid:
        raise _with_names_of(BY_NAME[step["do"]], invalid) from None
    return with_opened_tabs(outcome)


def _with_names_of(verb: Verb, invalid: InvalidParams) -> InvalidParams:
    """Return the error of a step with the arguments of its verb in place of the fields of the step."""
    names = {argument.key: argument.name if argument.is_option else argument.metavar for argument in verb.arguments}

    def renamed(text: str) -> str:
        return _PATH_OF_STEP.sub(lambda path: names.get(path[1]) or path[1] or "", text)

    path = renamed(invalid.details.get("path", "")) or None
    named = InvalidParams(renamed(invalid.message), hint=invalid.recovery_hint)
    named.details = invalid.details
    return named.with_details(path=path)


def with_opened_tabs(outcome: Outcome) -> Outcome:
    """Add a hint for each tab that a step has opened: the active tab is still the one before."""
    steps = outcome.results.get("agent/act", {}).get("results", ())
    opened = [page["pageId"] for step in steps for page in (step.get("result") or {}).get("newPages") or ()]
    hints = [f"hint: {tab} is not the active tab; `agentbrowser tabs --use {tab}` makes it that" for tab in opened]
    return attrs.evolve(outcome, text="\n".join([outcome.text, *hints]))


async def _step_of(call: VerbCall) -> dict[str, Any]:
    given = call.arguments
    step = {"do": given.verb, "on": getattr(given, "on", None), "expect": getattr(given, "expect", None)}
    value: Any = getattr(given, "value", None)
    match given.verb:
        case "fill" | "type":
            value = call.text_of(value)
        case "upload":
            path = files.path_in(call.cwd, value)
            value = await trio.to_thread.run_sync(files.below, call.upload_root, path)
        case "click" | "dblclick" | "rightclick" | "hover" if given.at is not None:
            value = f"at {given.at}"
        case "wait" if given.gone and (given.on or "").startswith(URL_MARK):
            raise InvalidParams("--gone is for words, a @ref or css=…, not for a URL.")
        case "wait":
            value = "gone" if given.gone else None
        case "dialog" if given.answer == "dismiss":
            value = "dismiss"
    step["value"] = value
    return {key: field for key, field in step.items() if field is not None}


async def _run(call: VerbCall) -> Outcome:
    """Run the steps of a file; paths of uploads are relative to the folder of the verb."""
    steps = parsed("The steps are", await call.read(call.arguments.steps))
    if isinstance(steps, dict) and isinstance(steps.get("steps"), list):
        steps = steps["steps"]
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict) and step.get("do") == "upload" and isinstance(step.get("value"), str):
            path = files.path_in(call.cwd, step["value"])
            step["value"] = await trio.to_thread.run_sync(files.below, call.upload_root, path)
    return with_opened_tabs(await call.tool("browser_act", steps=steps))


async def _extract(call: VerbCall) -> Outcome:
    given = call.arguments
    if bool(given.schema) is bool(given.fields):
        raise InvalidParams("extract needs fields, or else --schema.")
    common = {"within": given.within, "cursor": given.cursor, "tab": given.tab}
    if given.fields:
        tool = {"fields": given.fields, "list": given.list, **common}
        return call.outcome(await call.runner.run("browser_extract", tool), failed=NOT_FOUND)
    schema = await _schema(call)
    params: dict[str, Any] = {"schema": schema, "mode": "list" if schema.get("type") == "array" else "single"}
    if given.list:
        params["instruction"] = given.list
    return call.outcome(await extracted(call.runner.call(common), params), failed=NOT_FOUND)


async def _schema(call: VerbCall) -> dict[str, Any]:
    given = call.arguments.schema
    text = given if given.lstrip().startswith("{") else await call.read(given)
    schema = parsed("The schema is", text)
    if not isinstance(schema, dict):
        raise InvalidParams("The schema must be a JSON object.")
    return schema


async def _screenshot(call: VerbCall) -> Outcome:
    given = call.arguments
    if given.path is not None and Path(given.path).suffix.lower() not in _IMAGE_SUFFIXES:
        raise InvalidParams("A screenshot is a PNG or a JPEG: let its name end in .png, .jpg or .jpeg.")
    target = None if given.path is None else files.target(call.cwd, given.path)
    if given.path is not None and given.path.lower().endswith(".png"):
        content = await _png(call)
        text = ""
    else:
        result = await call.runner.run(
            "browser_screenshot", {"of": given.of, "full": given.full, "marks": given.marks, "tab": given.tab}
        )
        assert result.image is not None
        content, text = bytes(result.image), f"{result.image.width} x {result.image.height} pixels"
    if target is None:
        path = await _in_thread(files.write_new, call.cwd, "screenshot.jpg", content, is_numbered=True)
    else:
        path = await _in_thread(files.write, target, content)
    return Outcome(text=", ".join(filter(None, [f"saved {quoted(str(path))}", text])), files=(str(path),))


async def _png(call: VerbCall) -> bytes:
    given = call.arguments
    if given.marks:
        raise InvalidParams("A screenshot with --marks is a JPEG: let its name end in .jpg.")
    params: dict[str, Any] = {"options": {"format": "png", "fullPage": given.full}}
    if given.of:
        params["selector"] = selector_of(given.of)
    tool_call = call.runner.call({"tab": given.tab})
    image = await tool_call.request("observe/screenshot", {**params, "pageId": await tool_call.tab()})
    return base64.b64decode(image["data"])


async def _tabs(call: VerbCall) -> Outcome:
    if call.arguments.use is not None:
        await call.runner.client.request("page/activate", {"pageId": call.arguments.use})
    return call.outcome(await call.runner.run("browser_tabs", {"close": call.arguments.close}))


async def _download(call: VerbCall) -> Outcome:
    """Save a download of the list, or the one that a click begins."""
    on, lines, browser = call.arguments.on, list[str](), call.runner.browser
    target = None if call.arguments.output is None else files.target(call.cwd, call.arguments.output)
    downloads = await browser.downloads()  # raises ScopeDenied before the click, whose file could not be read
    if _DOWNLOAD_ID.fullmatch(on):
        known = [listed for listed in downloads if listed.id == on]
        if not known:
            raise InvalidParams(f"No download has the id {on}.", hint="`agentbrowser tabs` lists the downloads.")
        download = known[0]
    else:
        async with browser.events("download") as events:
            clicked = await call.tool("browser_act", steps=[{"do": "click", "on": on}])
            if clicked.exit_code:
                return clicked
            lines.append(clicked.text.split("\n")[0])
            download = await download_of_click(call, events, {listed.id for listed in downloads})
    content = await download.read()
    if target is not None:
        path = await _in_thread(files.write, target, content)
    else:
        path = await _in_thread(files.write_new, call.cwd, safe_name(download.suggested_name), content)
    lines.append(f"saved {quoted(str(path))}, {len(content)} bytes")
    return Outcome(text="\n".join(lines), results=call.runner.client.results, files=(str(path),))


async def download_of_click(
    call: VerbCall, events: AsyncIterable[object], known: Container[str | None]
) -> FileDownload:
    """Return the download that the click has begun. [trio]

    Args:
      known: ids of earlier downloads, of which one may end meanwhile.
    """
    for step in call.runner.client.results["agent/act"]["results"]:
        if wire := (step.get("result") or {}).get("download"):
            return FileDownload.of(call.runner.browser, wire)
    with trio.move_on_after(_DOWNLOAD_START_S):
        async for event in events:
            if isinstance(event, DownloadEvent) and event.download_id not in known:
                return call.runner.browser.download(event)
    raise ActionFailed("The click was done, and no download has begun.", hint=NO_DOWNLOAD_HINT)


async def _eval(call: VerbCall) -> Outcome:
    given = call.arguments
    return await call.tool("browser_evaluate", expression=call.text_of(given.expression), world=given.world)


async def _state(call: VerbCall) -> Outcome:
    given, browser = call.arguments, call.runner.browser
    if given.do == "clear":
        return await call.tool("browser_state", do="clear", tab=None)
    if given.path is None:
        raise InvalidParams(f"state {given.do} needs a file.")
    if given.do == "save":
        path = files.target(call.cwd, given.path)
        state = await browser.request("storage/getState", {"indexedDB": True})
        await _in_thread(files.write, path, json.dumps(state).encode(), is_private=True)
        kept = f"saved {quoted(str(path))}, {cookie_count(state)} and the storage"
        return Outcome(text=f"{kept}{without_databases(state)}", files=(str(path),))
    state = parsed(f"{given.path} is", await call.read(given.path))
    await browser.request("storage/setState", {"state": state})
    return Outcome(text="The state is loaded; open or reload a page to use it.")


def parsed(subject: str, text: str) -> Any:
    """Return the value of a JSON text.

    Args:
      subject: begins the message of an error, with its verb: "The steps are".

    Raises:
      InvalidParams: it is no JSON, or nested too deep.
    """
    try:
        return json.loads(text.removeprefix("\ufeff"))  # a byte order mark, as PowerShell writes it
    except ValueError as error:
        raise InvalidParams(f"{subject} no JSON: {error}.") from None
    except RecursionError:
        raise InvalidParams(f"{subject} nested too deep.") from None


async def _in_thread(work: Callable[..., Path], *args: Any, **kwargs: Any) -> Path:
    return await trio.to_thread.run_sync(partial(work, *args, **kwargs))


HANDLERS: Final[Mapping[str, Handler]] = {
    "open": _open,
    "back": _move,
    "forward": _move,
    "reload": _move,
    "look": _look,
    "extract": _extract,
    "screenshot": _screenshot,
    "tabs": _tabs,
    "download": _download,
    "eval": _eval,
    "run": _run,
    "state": _state,
}
"""Handlers of the verbs that are no step of browser_act; ``close`` is the daemon's own."""


async def handle(call: VerbCall) -> Outcome:
    """Run a verb. [trio]

    Raises:
      AgentBrowserError: it failed.
    """
    return await HANDLERS.get(call.arguments.verb, _step)(call)
