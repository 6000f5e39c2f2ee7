"""What coding agents call while a person works with them: what is recalled for them, and what is filed of them."""
