"""The Trio client. It needs neither Playwright nor Hypercorn."""

from agentbrowser.client.browser import Browser as Browser
from agentbrowser.client.browser import connect as connect
from agentbrowser.client.browser import over as over
from agentbrowser.client.transport import ConnectionLost as ConnectionLost
from agentbrowser.client.transport import Transport as Transport
