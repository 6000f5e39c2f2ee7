"""Claims as they are made in English; ``reader`` reads them."""
