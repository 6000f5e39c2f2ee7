"""Models: clients of language models and embedders. Nothing else speaks to one."""
