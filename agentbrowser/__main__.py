"""``python -m agentbrowser`` is the command ``agentbrowser``."""

from agentbrowser.cli import main

main()
