"""Every rule of the protocol with the tests that hold us to it."""

from typing import Final

from tests.spec.rule import Rule
from tests.spec.rules_agent import AGENT
from tests.spec.rules_pages import PAGES
from tests.spec.rules_state import STATE
from tests.spec.rules_wire import WIRE

RULES: Final[tuple[Rule, ...]] = (*WIRE, *PAGES, *AGENT, *STATE)
