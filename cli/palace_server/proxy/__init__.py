"""The memory proxy: requests to a model's provider, with memory added to them, and what is said filed."""
