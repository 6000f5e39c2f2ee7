"""What German says in ways of its own: bonds that end, plans that are dropped, posts, medicines, slips put right."""
