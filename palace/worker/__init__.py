"""Background work: taking jobs from the queue and doing them."""
