"""What users have set for themselves."""
