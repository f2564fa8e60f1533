"""MCP server: the tools for models over standard input and output."""
