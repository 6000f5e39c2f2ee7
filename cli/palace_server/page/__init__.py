"""The page: a palace in a browser, rendered by the server, without scripts."""
