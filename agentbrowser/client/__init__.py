"""The Trio client. It needs neither Playwright nor Hypercorn.

`agentbrowser.client.aio` is the same for asyncio, `agentbrowser.client.blocking` the same for programs without either.
"""

from agentbrowser.client.browser import Browser as Browser
from agentbrowser.client.dial import connect as connect
from agentbrowser.client.dial import over as over
from agentbrowser.client.element import Element as Element
from agentbrowser.client.extraction import ExtractionFailed as ExtractionFailed
from agentbrowser.client.feed import Feed as Feed
from agentbrowser.client.feed import Question as Question
from agentbrowser.client.hello import SessionKey as SessionKey
from agentbrowser.client.page import Page as Page
from agentbrowser.client.reconnect import LineChange as LineChange
from agentbrowser.client.reconnect import Reconnect as Reconnect
from agentbrowser.client.spelling import at as at
from agentbrowser.client.spelling import step as step
from agentbrowser.client.streams import StreamBroken as StreamBroken
from agentbrowser.client.transport import ConnectionLost as ConnectionLost
from agentbrowser.client.transport import Transport as Transport
