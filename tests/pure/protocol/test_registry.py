"""Declarations of methods: what a handler receives."""

from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from agentbrowser.protocol.registry import METHODS, Scope, TabState, composite, method, page_method


@attrs.frozen(kw_only=True)
class PageParams:
    page_id: str | None = None


@attrs.frozen(kw_only=True)
class NoParams:
    pass


async def on_tab(tab: Any, params: Any) -> None: ...


async def on_tabs(tabs: Any, params: Any) -> None: ...


async def on_call(call: Any, params: Any) -> None: ...


@pytest.fixture(autouse=True)
def _methods() -> Iterator[None]:
    before = dict(METHODS)
    yield
    METHODS.clear()
    METHODS.update(before)


def test_only_the_handler_of_a_page_method_receives_a_tab() -> None:
    page_method("test/page", PageParams, scope=Scope.READONLY)(on_tab)
    page_method("test/alive", PageParams, scope=Scope.READONLY, tab=TabState.ALIVE)(on_tab)
    method("test/pages", PageParams, scope=Scope.READONLY)(on_tabs)
    composite("test/composite", PageParams, scope=Scope.READONLY)(on_call)
    states = {name: declared.tab_state for name, declared in METHODS.items() if name.startswith("test/")}
    assert states == {
        "test/page": TabState.UNBLOCKED,
        "test/alive": TabState.ALIVE,
        "test/pages": None,
        "test/composite": None,
    }


def test_a_handler_names_its_first_parameter_by_what_it_receives() -> None:
    for declare, handler in ((page_method, on_tabs), (method, on_tab), (composite, on_tabs)):
        declared: Any = declare("test/wrong", PageParams, scope=Scope.READONLY)
        with pytest.raises(ValueError, match="first parameter"):
            declared(handler)
    assert "test/wrong" not in METHODS


def test_the_params_of_a_page_method_have_a_page_id() -> None:
    with pytest.raises(ValueError, match="the params of test/wrong have no page_id"):
        page_method("test/wrong", NoParams, scope=Scope.READONLY)(on_tab)


def test_a_name_is_declared_once() -> None:
    with pytest.raises(ValueError, match="page/navigate is declared twice"):
        page_method("page/navigate", PageParams, scope=Scope.READONLY)(on_tab)
