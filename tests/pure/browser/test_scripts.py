"""The bundle of in-page programs: how it is split."""

from agentbrowser.browser.scripts.bundle import PROGRAMS, _split


def test_a_bundle_is_split_at_the_names_of_its_programs() -> None:
    bundle = "// Generated.\n// program: one\n(() => 1)()\n// program: two_words\n(() => {\n// no program: x\n})()\n"
    assert dict(_split(bundle)) == {"one": "(() => 1)()", "two_words": "(() => {\n// no program: x\n})()"}


def test_programs_are_sent_without_comments() -> None:
    for source in PROGRAMS.values():
        assert "/**" not in source
        assert "\n//" not in source
