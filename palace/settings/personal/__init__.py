"""What users, or their agents, set for themselves: the names, what each may be, which value holds."""
