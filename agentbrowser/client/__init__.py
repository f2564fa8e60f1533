"""The Trio client. It needs neither Playwright nor Hypercorn.

`agentbrowser.client.aio` is the same for asyncio, `agentbrowser.client.blocking` the same for programs without either.
"""

from agentbrowser.client.browser import Browser as Browser
from agentbrowser.client.connection.dial import connect as connect
from agentbrowser.client.connection.dial import over as over
from agentbrowser.client.connection.handshake import SessionKey as SessionKey
from agentbrowser.client.connection.reconnect import LineChange as LineChange
from agentbrowser.client.connection.reconnect import Reconnect as Reconnect
from agentbrowser.client.connection.streams import StreamBroken as StreamBroken
from agentbrowser.client.connection.transport import ConnectionLost as ConnectionLost
from agentbrowser.client.connection.transport import Transport as Transport
from agentbrowser.client.element import Element as Element
from agentbrowser.client.extraction import ExtractionFailed as ExtractionFailed
from agentbrowser.client.feed import Feed as Feed
from agentbrowser.client.feed import Question as Question
from agentbrowser.client.page import Page as Page
from agentbrowser.client.selectors import at as at
from agentbrowser.client.selectors import step as step
