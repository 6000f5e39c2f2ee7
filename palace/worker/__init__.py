"""Background work: takes jobs from the queue and does them."""
