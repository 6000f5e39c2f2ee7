"""Index steps: data derived from a conversation's drawers, one step per module, in the order of the registry."""
