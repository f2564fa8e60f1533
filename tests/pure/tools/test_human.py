"""browser_ask_human: the answer, the link for the user, and a handoff that is waited for by asking again."""

from collections.abc import Mapping
from typing import Any, Final

import attrs
import pytest
import trio

from agentbrowser import tools
from agentbrowser.live.view import LINK_HOLDER
from agentbrowser.protocol.errors import PageNotFound
from agentbrowser.tools.human import LIFE_MS

LINK: Final = "http://127.0.0.1:9222/live#link=x"
ASKED: Final = {"question": "Sign in, please"}
PENDING: Final = {"outcome": "pending", "handoffId": "handoff-1", "link": LINK}
DONE: Final = {
    "outcome": "done",
    "handoffId": "handoff-1",
    "by": "a person",
    "changes": {"url": "https://a.example/home", "loggedIn": ["sid"]},
}
WITHDRAWN: Final = {"outcome": "declined", "handoffId": "handoff-1", "by": "the agent"}


@attrs.define(eq=False)
class Handoffs:
    """Client of a server that answers the requests for a handoff in turn."""

    answers: list[Any]
    requests: list[Mapping[str, Any]] = attrs.field(factory=list)

    @property
    def connection(self) -> "Handoffs":
        return self

    async def subscribe(self, names: object) -> None:
        """Subscribe to nothing."""

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        if method == "events/subscribe":
            return {}
        assert method == "handoff/request"
        self.requests.append(params or {})
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def ask(browser: Handoffs, asked: Mapping[str, Any] = ASKED, **options: Any) -> tools.ToolResult:
    async def run() -> tools.ToolResult:
        return await tools.run(browser, "browser_ask_human", asked, **options)

    return trio.run(run)


def test_a_model_that_nobody_asks_for_gets_the_link_and_waits_when_it_asks_again() -> None:
    browser = Handoffs([PENDING, PENDING, PENDING, DONE, PENDING, PENDING])
    first = ask(browser)
    assert LINK in first.text
    assert "Call browser_ask_human with the same question" in first.text
    assert not first.is_error
    assert "not handed the page back yet" in ask(browser).text
    assert ask(browser).text.split("\n") == [
        "The page was handed back, and is yours again (by a person).",
        'now at "https://a.example/home"',
        'cookies changed: "sid"',
    ]
    assert browser.requests[0] == {
        "reason": "Sign in, please",
        "instructions": "",
        "timeout": LIFE_MS,
        "wait": False,
    }
    waits = [request.get("timeout") for request in browser.requests[1:]]
    assert waits == [None, 45_000, 45_000]  # hosts give up after 60 s
    ask(browser)  # the same question after the end of its handoff is a new one
    assert "reason" in browser.requests[4]


def test_a_host_that_shows_progress_shows_the_link_while_the_first_call_waits() -> None:
    browser, shown = Handoffs([PENDING, DONE]), list[str]()

    async def show(message: str) -> None:
        shown.append(message)

    assert "The page was handed back" in ask(browser, show=show).text
    assert LINK in shown[0]
    assert browser.requests[1]["timeout"] == 45_000


def test_a_choice_that_the_user_picks_on_the_live_view_is_the_answer() -> None:
    picked = {"outcome": "done", "handoffId": "handoff-1", "by": LINK_HOLDER, "answer": "Aisle"}
    browser = Handoffs([PENDING, picked])

    async def wait(question: tools.Question) -> None:
        assert question.handed_back is not None
        await question.handed_back()

    result = ask(browser, {"question": "Which seat?", "choices": ["Window", "Aisle"]}, ask=wait)
    assert (result.text, result.is_error) == (f"Answered by {LINK_HOLDER}: Aisle", False)
    assert browser.requests[0]["choices"] == ["Window", "Aisle"]


def test_an_answer_in_words_withdraws_the_handoff() -> None:
    browser, asked = Handoffs([PENDING, WITHDRAWN]), list[tools.Question]()

    async def answer(question: tools.Question) -> str:
        asked.append(question)
        return "red"

    assert ask(browser, ask=answer).text == "The user answered: red"
    assert (asked[0].link, browser.requests[1]) == (LINK, {"handoffId": "handoff-1", "withdraw": True})


def test_an_answer_that_is_none_of_the_choices_is_marked() -> None:
    async def answer(question: tools.Question) -> str:
        return "yes"

    def answers(choices: list[str]) -> str:
        return ask(Handoffs([PENDING, WITHDRAWN]), {"question": "Which?", "choices": choices}, ask=answer).text

    assert answers(["a", "b"]) == "The user answered: yes\nThis is none of the choices: a, b."
    assert answers(["yes", "no"]) == answers([]) == "The user answered: yes"


@pytest.mark.parametrize(
    ("end", "text", "is_error"),
    [
        (PENDING, "The user did not answer. Show the user this link", True),
        (DONE, "The page was handed back", False),
        ({**WITHDRAWN, "by": LINK_HOLDER}, f"Declined by {LINK_HOLDER}.", True),
        ({**WITHDRAWN, "outcome": "timeout", "by": "nobody"}, "Nobody took the page over in time.", True),
    ],
)
def test_without_an_answer_the_end_of_the_handoff_counts(end: dict[str, Any], text: str, is_error: bool) -> None:
    async def answer(question: tools.Question) -> None:
        """Answer nothing."""

    result = ask(Handoffs([PENDING, end]), ask=answer)
    assert result.text.startswith(text)
    assert result.is_error is is_error


@pytest.mark.parametrize(
    ("answers", "text"),
    [
        ([PENDING, WITHDRAWN], "The user declined to answer."),
        ([PENDING, DONE], "The page was handed back, and is yours again (by a person)."),
        ([PageNotFound("There is no page.")], "The user declined to answer."),
    ],
)
def test_a_user_who_declines_is_not_asked_again(answers: list[Any], text: str) -> None:
    async def decline(question: tools.Question) -> tools.Declined:
        return tools.DECLINED

    browser = Handoffs(answers)
    result = ask(browser, ask=decline)
    assert result.text.startswith(text)
    assert "hint" not in result.text
    assert result.is_error is (text == "The user declined to answer.")
    assert browser.answers == []


def test_without_a_port_or_a_page_there_is_only_the_question() -> None:
    async def answer(question: tools.Question) -> str:
        assert question.link is None
        return "red"

    no_port = [{"outcome": "pending", "handoffId": "handoff-1"}, WITHDRAWN]
    assert ask(Handoffs(no_port[:]), ask=answer).text == "The user answered: red"
    assert "Nobody can be asked here: decide yourself" in ask(Handoffs(no_port[:])).text
    no_page = PageNotFound("There is no page.")
    assert ask(Handoffs([no_page]), ask=answer).text == "The user answered: red"
    assert "Nobody can be asked here (There is no page)" in ask(Handoffs([no_page])).text
