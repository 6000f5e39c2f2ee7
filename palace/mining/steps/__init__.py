"""The index steps: what is made from a conversation's drawers, one step a module, in the order of the registry."""
