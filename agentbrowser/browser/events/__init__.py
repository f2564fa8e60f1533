"""Browser events: console, network, frames, pages; limits on their rate; and the effects of an action among them."""
