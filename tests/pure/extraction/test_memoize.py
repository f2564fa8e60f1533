"""Cached functions of short texts."""

from agentbrowser.extraction.caching import memoize, memoize_within


def test_short_texts_are_cached_and_long_ones_are_not() -> None:
    seen: list[str] = []

    def size(text: str) -> int:
        seen.append(text)
        return len(text)

    known = memoize(size)
    assert [known(text) for text in ("ab", "ab", "c" * 200, "c" * 200)] == [2, 2, 200, 200]
    assert seen == ["ab", "c" * 200, "c" * 200]


def test_a_full_cache_is_cleared() -> None:
    seen: list[str] = []
    known = memoize(lambda text: seen.append(text), most=2)
    for text in ("a", "b", "a", "c", "c", "a"):
        known(text)
    assert seen == ["a", "b", "c", "a"]


def test_long_texts_are_kept_as_long_as_all_together_are_short_enough() -> None:
    seen: list[str] = []
    known = memoize_within(1000)(lambda text: seen.append(text))
    texts = ["a" * 400, "b" * 400, "c" * 400, "d" * 2000]
    for text in (*texts[:2], *texts[:2], texts[2], texts[2], texts[0], texts[3], texts[3]):
        known(text)
    assert [text[0] for text in seen] == ["a", "b", "c", "a", "d", "d"]
