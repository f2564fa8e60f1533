"""The demonstration: a page, the site that serves it, and what an agent does there."""

from agentbrowser.cli.demo.story import Chapter as Chapter
from agentbrowser.cli.demo.story import DemoFailed as DemoFailed
from agentbrowser.cli.demo.story import perform as perform
