"""Looking back without a query: what was said of late, what stands open, what is coming up."""
