"""The queue of background work: what clients do with jobs, and how workers come by them."""
