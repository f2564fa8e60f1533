"""The thirteen actions on one tab."""

from agentbrowser.browser.act.form_controls import Choosing
from agentbrowser.browser.act.keyboard import Writing
from agentbrowser.browser.act.lookahead_input import Hastening
from agentbrowser.browser.act.pointer import Pointing


class Acts(Pointing, Writing, Choosing, Hastening):
    """All that can be done to the elements of a tab: ``Acts(tab).click(selector, options)``."""
