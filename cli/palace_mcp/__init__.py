"""The memory as an MCP server: tools for a model, over standard streams or local HTTP."""
