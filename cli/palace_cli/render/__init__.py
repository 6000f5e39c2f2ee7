"""What the human views share; a view is a pure function from a record to something Rich prints."""
