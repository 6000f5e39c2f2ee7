"""The memory as an MCP server: tools for a model, over standard streams or HTTP on this machine."""
