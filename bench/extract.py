"""How right is agent/extract, and does it know? Values against a labelled corpus, confidence against what came of it.

Run: python -m bench.extract [--smoke] [--held] [--fit] [--only NAME] [--verbose]

Scoring: a value is right where the same value stands at the same place. Items of lists are paired in order so that as
many values as possible agree (a longest common subsequence with the number of equal values as weight); what is
unpaired is missing or too much. Numbers agree within 1e-9, strings after their white space is collapsed; null is no
value. The correctness that a confidence is held against is the F1 of the values of its task.
"""

import argparse
import contextlib
import functools
import http.server
import json
import math
import random
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.browser.extraction import reading
from agentbrowser.browser.extraction.engine import Material, Outcome, extract
from agentbrowser.browser.extraction.wishes import Asked
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.errors import AgentBrowserError
from agentbrowser.registry import Scope
from agentbrowser.server.app import open_server

_CORPUS: Final = Path(__file__).parent / "corpus"
_BINS: Final = 10
_SMOKE_PAGES: Final = 6
_NEAR: Final = 1e-9


@attrs.frozen(kw_only=True)
class Score:
    """What one task came to: values found, right and expected; the confidence; the sources; the time."""

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

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 1 where nothing was expected and nothing found."""
        return 2 * self.right / (self.found + self.expected) if self.found + self.expected else 1.0


def leaves(data: Any) -> int:
    """Return how many values there are."""
    if isinstance(data, dict):
        return sum(map(leaves, data.values()))
    if isinstance(data, list):
        return sum(map(leaves, data))
    return data is not None


def agreement(wanted: Any, got: Any) -> int:
    """Return how many values are the same at the same place."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return sum(agreement(value, got[key]) for key, value in wanted.items() if key in got)
    if isinstance(wanted, list) and isinstance(got, list):
        return _aligned(wanted, got)
    return int(wanted is not None and _is_same(wanted, got))


def _aligned(wanted: list[Any], got: list[Any]) -> int:
    above = [0] * (len(got) + 1)
    for one in wanted:
        row = [0]
        for place, other in enumerate(got):
            row.append(max(above[place + 1], row[place], above[place] + agreement(one, other)))
        above = row
    return above[-1]


def _is_same(wanted: Any, got: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        return math.isclose(wanted, got, rel_tol=0, abs_tol=_NEAR)
    if isinstance(wanted, str) and isinstance(got, str):
        return " ".join(wanted.split()) == " ".join(got.split())
    return False


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


async def _task(browser: Browser, page: str, task: dict[str, Any]) -> Score:
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
        resolved=sum([await _resolves(browser, source) for source in sourced]),
        took_ms=took_ms,
        is_list=isinstance(task["data"], list),
        error=answer.get("error"),
        got=data,
        wanted=task["data"],
    )


async def _sourced(browser: Browser, params: dict[str, Any]) -> list[dict[str, Any]]:
    answer = await browser.request("agent/extract", {**params, "includeSourceRefs": True})
    sources: list[dict[str, Any]] = answer.get("sources") or []
    return sources


async def _resolves(browser: Browser, source: dict[str, Any]) -> bool:
    """Tell whether a source's selector hits one element that holds the text that was read."""
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
    return any(said in _squashed(text) for text in held) or "checked" in state or not any(map(str.strip, held))


def _squashed(text: str) -> str:
    return "".join(text.split()).lower()


async def measure(half: str, *, few: bool, only: str | None, watch: Callable[[Any], None] | None = None) -> list[Score]:
    """Run every task of a half of the corpus through a server; ``watch`` is told what each expects, once it is done."""
    pages = sorted((_CORPUS / half).glob("*.json"))
    chosen = [page for page in pages if only is None or only in page.stem]
    scores = []
    config = Config(port=0, log_level="error", scope=Scope.STANDARD)
    with _served(_CORPUS / half) as url:
        async with open_server(config) as server, server.connect() as browser:
            for page in chosen[:_SMOKE_PAGES] if few else chosen:
                await browser.request("page/navigate", {"url": f"{url}/{page.stem}.html"})
                tasks = json.loads(page.read_text())["tasks"]
                for task in tasks:
                    scores.append(await _task(browser, page.stem, task))
                    if watch is not None:
                        watch(task["data"])
    return scores


def calibration_error(scores: Sequence[Score]) -> float:
    """Return the expected calibration error over ten bins of confidence."""
    bins: dict[int, list[Score]] = {}
    for score in scores:
        bins.setdefault(min(_BINS - 1, int(score.confidence * _BINS)), []).append(score)
    gaps = (
        len(inside) * abs(statistics.mean(one.confidence for one in inside) - statistics.mean(one.f1 for one in inside))
        for inside in bins.values()
    )
    return sum(gaps) / len(scores)


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
    print(f"\n{len(scores)} tasks on {len({one.page for one in scores})} pages, {expected} values")
    print(f"F1 of values       {2 * right / max(1, found + expected):.4f}")
    print(f"precision          {right / max(1, found):.4f}")
    print(f"recall             {right / max(1, expected):.4f}")
    print(f"calibration error  {calibration_error(scores):.4f}")
    print(f"sources resolved   {resolved} of {sources}")
    print(f"p50 time           {statistics.median(one.took_ms for one in scores):.1f} ms")


_KEPT: Final = (1.0, 1.0, 0.8, 0.6, 0.4, 0.2, 0.05)
"""How much of what names the values is left on the pages that the confidence is fitted to."""
_STEPS: Final = 6000
_RATE: Final = 1.5
_DECAY: Final = 3e-4


async def fit(seed: int = 7) -> None:
    """Print the weights of the confidence: a logistic map fitted to the development half and to poorer copies of it.

    Pages that were used while building are nearly all read right, which teaches nothing about when to doubt. So each
    is also read with part of its labels, heads, class names and synonyms taken away at random.
    """
    taken: list[tuple[Asked, dict[str, Any], int, Any]] = []
    work = reading._work

    def record(wanted: Asked, gathered: dict[str, Any], max_items: int, offset: int) -> Outcome:
        taken.append((wanted, gathered, max_items, None))
        return work(wanted, gathered, max_items, offset)

    reading._work = record
    try:
        scores = await measure("dev", few=False, only=None, watch=lambda data: _label(taken, data))
    finally:
        reading._work = work
    print(f"{len(scores)} tasks")
    dice = random.Random(seed)
    rows = [row for kept in _KEPT for one in taken if one[3] is not None and (row := _poorer(one, kept, dice))]
    for is_list in (True, False):
        chosen = [(features, right) for features, right, kind in rows if kind is is_list]
        weights = _logistic(chosen)
        name = "LIST_WEIGHTS" if is_list else "SINGLE_WEIGHTS"
        mean = statistics.mean(right for _, right in chosen)
        print(name, [round(weight, 2) for weight in weights], f"{len(chosen)} rows, mean F1 {mean:.3f}")


def _label(taken: list[tuple[Asked, dict[str, Any], int, Any]], data: Any) -> None:
    """Put what was expected to what has just been gathered."""
    taken[-1] = (*taken[-1][:3], data)


def _poorer(
    one: tuple[Asked, dict[str, Any], int, Any], kept: float, dice: random.Random
) -> tuple[tuple[float, ...], float, bool] | None:
    wanted, gathered, max_items, data = one
    outcome = extract(wanted, Material.of(_without(gathered, kept, dice)), max_items=max_items)
    if outcome.why_not is not None:
        return None
    size = leaves(outcome.data) + leaves(data)
    return outcome.features, 2 * agreement(data, outcome.data) / size if size else 1.0, wanted.is_list


def _without(gathered: dict[str, Any], kept: float, dice: random.Random) -> dict[str, Any]:
    """Return a copy with a part of what names the values taken away."""

    def some(items: list[Any]) -> list[Any]:
        return [item for item in items if dice.random() < kept]

    def column(said: dict[str, Any]) -> dict[str, Any]:
        heads = said["heads"] if dice.random() < kept else []
        return {**said, "hints": some(said["hints"]), "labels": some(said["labels"]), "heads": heads}

    groups = [{**group, "columns": list(map(column, group["columns"]))} for group in gathered["groups"]]
    facts = [{**fact, "hints": some(fact["hints"]), "labels": some(fact["labels"])} for fact in gathered["facts"]]
    return {**gathered, "groups": groups, "facts": facts, "meta": some(gathered["meta"])}


def _logistic(rows: Sequence[tuple[tuple[float, ...], float]]) -> list[float]:
    """Return the bias and the weights that make the F1 of the rows most likely, by gradient descent."""
    weights = [0.0] * (len(rows[0][0]) + 1)
    for _ in range(_STEPS):
        slopes = [0.0] * len(weights)
        for features, right in rows:
            inputs = (1.0, *features)
            guess = 1 / (1 + math.exp(-sum(weight * value for weight, value in zip(weights, inputs, strict=True))))
            for place, value in enumerate(inputs):
                slopes[place] += (guess - right) * value
        for place, slope in enumerate(slopes):
            weights[place] -= _RATE * (slope / len(rows) + _DECAY * weights[place] * (place > 0))
    return weights


def main() -> None:
    """Measure one half of the corpus."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoke", action="store_true", help="a few pages, to see that the script works")
    parser.add_argument("--held", action="store_true", help="the held-back half instead of the development half")
    parser.add_argument("--only", help="pages whose name has this in it")
    parser.add_argument("--verbose", action="store_true", help="what was wanted and got, where they differ")
    parser.add_argument("--fit", action="store_true", help="print the weights of the confidence instead")
    options = parser.parse_args()
    if options.fit:
        return trio.run(fit)
    half = "held" if options.held else "dev"
    show(trio.run(functools.partial(measure, half, few=options.smoke, only=options.only)), is_verbose=options.verbose)


if __name__ == "__main__":
    main()
