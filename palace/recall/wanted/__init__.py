"""What a query wants beside the five that answer best: all of a kind, what holds for every such task, an order."""
