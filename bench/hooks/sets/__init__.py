"""Sessions of six projects, and prompts asked in them: what hooks are measured by."""
