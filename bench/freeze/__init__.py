"""What the product does today as plain text, so that a later state can be compared with it item by item."""
