"""Correctness of agent/extract on a labelled corpus, and calibration of its confidence.

Run: python -m bench.extract [--smoke] [--part dev|calibration|held] [--only NAME] [--verbose] [--plot]

Scoring: a value is right if the same value is at the same path. Items of lists are paired in order so that as
many values as possible agree (a longest common subsequence with the number of equal values as weight); what is
unpaired is missing or too much. Numbers agree within 1e-9, strings after their white space is collapsed; null is no
value. The correctness that a confidence is held against is the F1 of the values of its task.
"""

import argparse
import contextlib
import functools
import http.server
import json
import statistics
import string
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from bench import reliability
from bench.field_scores import absent_fields, agreement, field_scores, leaves

_CORPUS: Final = Path(__file__).parent / "corpus"
PARTS: Final = ("dev", "calibration", "held")
AUTHORS: Final = (
    "oak", "pine", "elm", "yew", "ash", "fir", "birch", "cedar", "larch", "rowan", "maple", "hazel", "willow",
    "alder", "spruce", "beech", "linden", "aspen", "juniper", "poplar", "cherry", "hawthorn", "walnut", "acacia",
    "sequoia", "mulberry", "clover", "sycamore", "magnolia", "laurel", "olive", "chestnut", "tamarind",
    "banyan", "ginkgo", "hickory", "jacaranda", "kapok", "rosewood", "baobab", "cypress",
)  # fmt: skip
"""Authors who signed their pages."""
_BINS: Final = 10
_SMOKE_PAGES: Final = 6
_SURE: Final = 0.8
_RIGHT: Final = 0.95
"""Least F1 of the values of a field that counts as right."""
_IN_URLS: Final = string.punctuation
"""Characters that browsers do not percent-encode in an address."""


@attrs.frozen(kw_only=True)
class Score:
    """Result of one task: values found, right and expected; confidence; sources; time."""

    page: str
    right: int
    found: int
    expected: int
    confidence: float
    sources: int
    resolved: int
    took_ms: float
    is_list: bool
    error: str | None
    got: Any
    wanted: Any
    schema: dict[str, Any]
    fields: dict[str, float]
    """Confidence of each field with a value."""

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 1 where nothing was expected and nothing found."""
        return 2 * self.right / (self.found + self.expected) if self.found + self.expected else 1.0


def author_of(page: str) -> str:
    """Return the author of a page: the first part of its name; "first" for unsigned pages."""
    name = page.partition("-")[0]
    return name if name in AUTHORS else "first"


def f1(scores: Sequence[Score]) -> float:
    """Return the F1 of all values of some tasks."""
    size = sum(one.found + one.expected for one in scores)
    return 2 * sum(one.right for one in scores) / size if size else 1.0


@contextlib.contextmanager
def _served(folder: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def _task(browser: Browser, page: str, base: str, task: dict[str, Any]) -> Score:
    started = time.perf_counter()
    try:
        answer = await browser.request("agent/extract", task["params"])
    except AgentBrowserError as error:
        answer = {"success": False, "error": str(error)}
    took_ms = (time.perf_counter() - started) * 1000
    sourced = await _sourced(browser, task["params"]) if answer["success"] else []
    data = answer.get("data") if answer["success"] else None
    return Score(
        page=page,
        right=agreement(task["data"], data),
        found=leaves(data),
        expected=leaves(task["data"]),
        confidence=answer.get("confidence", 0.0),
        sources=len(sourced),
        resolved=sum([await _resolves(browser, source, base) for source in sourced]),
        took_ms=took_ms,
        is_list=isinstance(task["data"], list),
        error=answer.get("error"),
        got=data,
        wanted=task["data"],
        schema=task["params"]["schema"],
        fields={name: one["confidence"] for name, one in (answer.get("fields") or {}).items() if "source" in one},
    )


async def _sourced(browser: Browser, params: dict[str, Any]) -> list[dict[str, Any]]:
    answer = await browser.request("agent/extract", {**params, "includeSourceRefs": True})
    sources: list[dict[str, Any]] = answer.get("sources") or []
    return sources


async def _resolves(browser: Browser, source: dict[str, Any], base: str) -> bool:
    """Return True if a source's selector matches one element with the text of the source, or its address."""
    try:
        state = await browser.request(
            "observe/element",
            {"selector": source["selector"], "properties": ["text", "attributes", "value", "checked"]},
        )
    except AgentBrowserError:
        return False
    if not state["found"]:
        return False
    held = [state.get("text") or "", state.get("value") or "", *(state.get("attributes") or {}).values()]
    said = _squashed(source.get("text") or "")
    held += [urllib.parse.urljoin(base, text) for text in held[2:]]
    held += [urllib.parse.quote(text, safe=_IN_URLS) for text in held]
    return any(said in _squashed(text) for text in held) or "checked" in state or not any(map(str.strip, held))


def _squashed(text: str) -> str:
    return "".join(text.split()).lower()


async def measure(
    part: str, *, few: bool, only: str | None, watch: Callable[[str, Any], None] | None = None
) -> list[Score]:
    """Run every task of a part of the corpus; call ``watch`` with the page and the right data after each."""
    pages = sorted((_CORPUS / part).glob("*.json"))
    chosen = [page for page in pages if only is None or only in page.stem]
    scores = []
    config = Config(port=0, log_level="error", scope=Scope.STANDARD)
    with _served(_CORPUS / part) as url:
        async with open_server(config) as server, server.connect() as browser:
            for page in chosen[:_SMOKE_PAGES] if few else chosen:
                await browser.request("page/navigate", {"url": f"{url}/{page.stem}.html"})
                tasks = json.loads(page.read_text())["tasks"]
                for task in tasks:
                    scores.append(await _task(browser, page.stem, f"{url}/{page.stem}.html", task))
                    if watch is not None:
                        watch(page.stem, task["data"])
    return scores


def calibration_error(scores: Sequence[Score]) -> float:
    """Return the expected calibration error of "entirely right" over ten bins of confidence; only of answers."""
    scores = [score for score in scores if score.got is not None]
    bins: dict[int, list[Score]] = {}
    for score in scores:
        bins.setdefault(min(_BINS - 1, int(score.confidence * _BINS)), []).append(score)
    gaps = [
        len(inside) * abs(statistics.mean(one.confidence - float(one.f1 == 1) for one in inside))
        for inside in bins.values()
    ]
    return sum(gaps) / max(1, len(scores))


def show(scores: Sequence[Score], *, is_verbose: bool) -> None:
    """Print the figures for each page and for all of them."""
    print(f"{'page':34}{'F1':>7}{'prec.':>7}{'recall':>7}{'conf.':>7}{'ms':>8}")
    for one in scores:
        precision, recall = one.right / max(1, one.found), one.right / max(1, one.expected)
        print(f"{one.page:34}{one.f1:7.3f}{precision:7.3f}{recall:7.3f}{one.confidence:7.2f}{one.took_ms:8.1f}")
        if is_verbose and one.f1 < 1:
            print(f"   wanted {json.dumps(one.wanted, ensure_ascii=False)}")
            print(f"   got    {json.dumps(one.got, ensure_ascii=False)} {one.error or ''}")
    right, found, expected = (sum(getattr(one, name) for one in scores) for name in ("right", "found", "expected"))
    sources, resolved = sum(one.sources for one in scores), sum(one.resolved for one in scores)
    heads = ("macro F1", "prec.@0.8", "share@0.8", "invented", "inv.@0.8", "calib.")
    print(f"\n{'author':12}{'tasks':>6}" + "".join(f"{head:>11}" for head in heads))
    for author in [*dict.fromkeys(author_of(one.page) for one in scores), "all"]:
        print(_line(author, [one for one in scores if author in ("all", author_of(one.page))]))
    print(f"\n{len(scores)} tasks on {len({one.page for one in scores})} pages, {expected} values")
    print(f"F1 of values       {f1(scores):.4f}")
    print(f"precision          {right / max(1, found):.4f}")
    print(f"recall             {right / max(1, expected):.4f}")
    print(f"calibration error  {calibration_error(scores):.4f}")
    print(f"sources resolved   {resolved} of {sources}")
    print(f"p50 time           {statistics.median(one.took_ms for one in scores):.1f} ms")


def _line(author: str, scores: Sequence[Score]) -> str:
    """Return the figures of an author: of fields given at a confidence of 0.8 or more, and of absent ones."""
    sure = sure_right = present = sure_present = absent = invented = sure_invented = 0
    for one in scores:
        scores_of = field_scores(one.wanted, one.got)
        for path, field in scores_of.items():
            is_sure = field.found > 0 and one.fields.get(".".join(path) or "value", 0.0) >= _SURE
            sure += is_sure
            sure_right += is_sure and field.share >= _RIGHT
            present += field.expected > 0
            sure_present += is_sure and field.expected > 0
        for path in absent_fields(one.schema, one.wanted):
            absent += 1
            invented += path in scores_of
            sure_invented += path in scores_of and one.fields.get(".".join(path) or "value", 0.0) >= _SURE
    macro = statistics.mean(one.f1 for one in scores)
    shares = (sure_right / max(1, sure), sure_present / max(1, present), invented / max(1, absent))
    figures = (macro, *shares, sure_invented / max(1, absent), calibration_error(scores))
    return f"{author:12}{len(scores):6}" + "".join(f"{figure:11.3f}" for figure in figures)


def main() -> None:
    """Measure one part of the corpus."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoke", action="store_true", help="a few pages, to see that the script works")
    parser.add_argument("--part", choices=PARTS, default="dev", help="of the corpus: bench/corpus/README.md")
    parser.add_argument("--only", help="pages whose name has this in it")
    parser.add_argument("--verbose", action="store_true", help="what was wanted and got, where they differ")
    parser.add_argument("--plot", action="store_true", help="draw bench/plots/extract-PART too")
    options = parser.parse_args()
    scores = trio.run(functools.partial(measure, options.part, few=options.smoke, only=options.only))
    if not scores:
        parser.error(f"no page of {options.part} has this name" if options.only else f"{options.part} has no pages")
    show(scores, is_verbose=options.verbose)
    if options.plot:
        _draw(options.part, scores)


def _draw(part: str, scores: Sequence[Score]) -> None:
    fields, present = [], 0
    for one in scores:
        for path, field in field_scores(one.wanted, one.got).items():
            present += field.expected > 0
            if field.found:
                fields.append((one.fields.get(".".join(path) or "value", 0.0), field.share >= _RIGHT))
    answers = [(one.confidence, one.f1 == 1) for one in scores if one.got is not None]
    reliability.draw(f"extract-{part}", fields, answers, present)


if __name__ == "__main__":
    main()
