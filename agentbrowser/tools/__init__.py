"""Tools for models: seven tools with which any model controls a browser.

`definitions` has them in the forms of several APIs, and `dispatch` runs what the model calls.
"""

from agentbrowser.tools.calls import DECLINED as DECLINED
from agentbrowser.tools.calls import Ask as Ask
from agentbrowser.tools.calls import Declined as Declined
from agentbrowser.tools.calls import Question as Question
from agentbrowser.tools.calls import Show as Show
from agentbrowser.tools.definitions import anthropic as anthropic
from agentbrowser.tools.definitions import gemini as gemini
from agentbrowser.tools.definitions import json_schema as json_schema
from agentbrowser.tools.definitions import openai as openai
from agentbrowser.tools.definitions import openai_chat as openai_chat
from agentbrowser.tools.dispatch import dispatch as dispatch
from agentbrowser.tools.dispatch import dispatch_blocking as dispatch_blocking
from agentbrowser.tools.dispatch import run as run
from agentbrowser.tools.results import ToolResult as ToolResult
from agentbrowser.tools.table import TOOLS as TOOLS
