"""Claims as they are made in German; ``reader`` reads them."""
