"""Browser events: console, network, frames, pages; and limits on their rate."""
