"""Demonstration: a page, the site that serves it, and an agent's requests."""

from agentbrowser.cli.demo.story import Chapter as Chapter
from agentbrowser.cli.demo.story import DemoFailed as DemoFailed
from agentbrowser.cli.demo.story import perform as perform
