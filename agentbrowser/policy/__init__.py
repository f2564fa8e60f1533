"""Access rules: URLs, secrets, approvals, credentials, subscriptions. Pure."""
