"""What coding agents call while a person works with them: recall for their prompts, and filing of their sessions."""
