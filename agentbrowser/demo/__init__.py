"""The demonstration: a page, the site that serves it, and what an agent does there."""

from agentbrowser.demo.story import Chapter as Chapter
from agentbrowser.demo.story import DemoFailed as DemoFailed
from agentbrowser.demo.story import perform as perform
