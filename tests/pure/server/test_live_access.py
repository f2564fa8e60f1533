"""Rights at the live view: a link, which an agent receives itself, gives no more than the agent has."""

from types import SimpleNamespace
from typing import Any

import pytest

from agentbrowser.live.access import Access
from agentbrowser.policy.approvals import NO_RULES, ApprovalRule, ApprovalRules
from agentbrowser.protocol.errors import ApprovalDenied, ScopeDenied
from agentbrowser.protocol.registry import Scope

SESSION: Any = SimpleNamespace(scope=Scope.STANDARD)
BY_LINK = Access(name="whoever has the link")
OPERATOR = Access(name="the operator", may_approve=True)


def rules(action: Any, mode: Any = "required") -> ApprovalRules:
    return ApprovalRules(mode=mode, rules=(ApprovalRule(name="never-pay", action=action),))


@pytest.mark.parametrize("action", ["deny", "require"])
def test_by_a_link_nothing_is_done_that_rules_would_judge(action: str) -> None:
    with pytest.raises(ApprovalDenied, match="Not by a link") as refused:
        BY_LINK.check_input("action/click", Scope.STANDARD, SESSION, rules(action))
    assert refused.value.details["rule"] == "never-pay"
    OPERATOR.check_input("action/click", Scope.STANDARD, SESSION, rules(action))


@pytest.mark.parametrize("those", [NO_RULES, rules("allow"), rules("deny", mode="audit")])
def test_by_a_link_a_page_is_taken_over_where_no_rule_stops_actions(those: ApprovalRules) -> None:
    BY_LINK.check_input("action/click", Scope.STANDARD, SESSION, those)


def test_by_a_link_files_need_the_scope_of_uploads() -> None:
    with pytest.raises(ScopeDenied, match="action/upload needs the scope full"):
        BY_LINK.check_input("action/upload", Scope.FULL, SESSION, NO_RULES)
    OPERATOR.check_input("action/upload", Scope.FULL, SESSION, NO_RULES)
