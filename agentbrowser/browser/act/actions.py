"""The actions on one tab: pointer, keyboard, form controls."""

from agentbrowser.browser.act.form_controls import FormControls
from agentbrowser.browser.act.keyboard import Keyboard
from agentbrowser.browser.act.pointer import Pointer


class Actions(Pointer, Keyboard, FormControls):
    """The thirteen actions on one tab."""
