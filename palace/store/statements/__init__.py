"""What was said, looked at without ranking it for a query: what is alike, what tells, what stands, what is recent."""
