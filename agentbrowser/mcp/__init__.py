"""MCP server: the tools for models, on standard input and output and over HTTP."""
