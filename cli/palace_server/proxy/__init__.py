"""The memory proxy: adds memory to requests to a model's provider, and files the conversation."""
