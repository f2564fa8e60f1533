"""Section 5 of the protocol: what each scope adds."""

from fnmatch import fnmatchcase

import pytest

from agentbrowser.methods import METHODS

TABLE = {
    "readonly": "initialize shutdown events/* page/list page/activate page/waitFor frame/list context/list observe/*"
    " agent/observe agent/extract discovery/discover stream/cancel rpc.discover",
    "full": "storage/* context/* action/upload emulate/* trace/* recording/* session/fork download/*",
    "privileged": "script/evaluate network/* approval/respond live/link",
    "standard": "browser/* page/* frame/* dialog/handle handoff/request agent/act emulate/setViewport action/*",
}


def scope_by_the_table(name: str) -> str:
    """Return the scope whose row names the method most closely: a full name before a pattern."""
    rows = [(pattern, scope) for scope, row in TABLE.items() for pattern in row.split() if fnmatchcase(name, pattern)]
    return max(rows, key=lambda row: not row[0].endswith("*"))[1]


@pytest.mark.parametrize("name", sorted(METHODS))
def test_each_method_has_the_scope_of_the_table(name: str) -> None:
    assert METHODS[name].scope.word == scope_by_the_table(name)
