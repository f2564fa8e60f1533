"""Log lines: one event each, in one of two formats, without secrets."""

import json
import logging
import warnings

import pytest
import structlog

from agentbrowser.config import Config, LogFormat
from tests.pure.logbook import logged

TOKEN = 's3cret-of-tests"+/=\u00e9'
log = structlog.get_logger("agentbrowser.test")

FORMATS: tuple[LogFormat, ...] = ("text", "json")


def test_a_line_of_json_is_an_event() -> None:
    with logged(Config(log_format="json")) as lines:
        log.info("listening", port=9222, text="two\nlines")
    event = json.loads(lines.getvalue())
    assert event.pop("timestamp").endswith("Z")
    assert event == {
        "event": "listening",
        "port": 9222,
        "text": "two\nlines",
        "level": "info",
        "logger": "agentbrowser.test",
    }


def test_a_line_of_text_is_an_event_without_characters_that_a_terminal_obeys() -> None:
    with logged(Config()) as lines:
        log.warning("no_token", scope="standard", request="\x1b[2Jgone", page="\u202eegap", other="\x9b2J \x07")
    (line,) = lines.getvalue().splitlines()
    assert r"request=\u001b[2Jgone" in line
    assert line.isprintable()
    assert "warning" in line
    assert "no_token" in line
    assert "scope=standard" in line


def test_the_level_holds_for_us_and_not_for_libraries() -> None:
    with logged(Config(log_level="error", log_format="json")) as lines:
        log.warning("quiet")
        log.error("loud")
        logging.getLogger("asyncio").warning("a library")
        logging.getLogger("asyncio").info("a chatty library")
    assert [json.loads(line)["event"] for line in lines.getvalue().splitlines()] == ["loud", "a library"]


def test_debug_is_there_for_who_asks() -> None:
    with logged(Config(log_level="debug")) as lines:
        log.debug("detail")
    assert "detail" in lines.getvalue()


def test_warnings_are_log_lines() -> None:
    warnings.simplefilter("always")  # pytest undoes it
    with logged(Config(log_format="json")) as lines:
        warnings.warn("old ways", DeprecationWarning, stacklevel=1)
    assert "old ways" in str([json.loads(line)["event"] for line in lines.getvalue().splitlines()])


@pytest.mark.parametrize("log_format", FORMATS)
def test_the_token_is_in_no_line(log_format: LogFormat) -> None:
    with logged(Config(token=TOKEN, log_format=log_format)) as lines:
        log.info("seen", plain=TOKEN, inside=f"<{TOKEN}>", listed=[TOKEN], deep={"a": {"b": TOKEN}})
        log.info(
            "seen",
            url="ws://127.0.0.1/?token=s3cret-of-tests%22%2B%2F%3D%C3%A9",
            other="s3cret-of-tests%22%2B/%3D%C3%A9",
        )
        logging.getLogger("library").error("got %s", TOKEN)
        try:
            raise ValueError(TOKEN)
        except ValueError:
            log.exception("failed")
    assert "ValueError" in lines.getvalue()
    assert "REDACTED" in lines.getvalue()
    assert "s3cret" not in lines.getvalue()


@pytest.mark.parametrize("log_format", FORMATS)
def test_urls_lose_what_is_secret_in_them(log_format: LogFormat) -> None:
    with logged(Config(log_format=log_format)) as lines:
        log.info("went", url="https://user:hidden1@a.com/path?key=hidden2&page=7")
        try:
            raise ValueError("at https://a.com/?session=hidden3 it failed")
        except ValueError:
            log.exception("failed")
    assert "a.com/path" in lines.getvalue()
    assert "page=7" in lines.getvalue()
    assert "hidden" not in lines.getvalue()


@pytest.mark.parametrize("log_format", FORMATS)
def test_a_traceback_has_no_values_of_variables(log_format: LogFormat) -> None:
    def fail() -> None:
        content = "what the " + "page says"
        raise ValueError(len(content))

    with logged(Config(log_format=log_format)) as lines:
        try:
            fail()
        except ValueError:
            log.exception("failed")
    assert "in fail" in lines.getvalue()
    assert "what the page says" not in lines.getvalue()
