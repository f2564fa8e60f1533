"""The thirteen actions on one tab."""

from agentbrowser.browser.choosing import Choosing
from agentbrowser.browser.haste import Hastening
from agentbrowser.browser.pointing import Pointing
from agentbrowser.browser.writing import Writing


class Acts(Pointing, Writing, Choosing, Hastening):
    """All that can be done to the elements of a tab: ``Acts(tab).click(selector, options)``."""
