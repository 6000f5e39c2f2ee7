"""Palace as the memory of agent frameworks: one module for each, which needs the framework (docs/frameworks.md)."""
