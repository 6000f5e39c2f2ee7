"""English clauses: where they begin, their subjects, their verbs."""
