"""The palace in outline: its places page by page."""
