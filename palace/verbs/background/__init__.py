"""Background work as a person sees it."""
