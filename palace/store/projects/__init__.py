"""Which wing a project has, and what else may be recalled in it."""
