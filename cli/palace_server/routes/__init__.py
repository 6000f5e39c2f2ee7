"""The routes of the server, one module a noun with the bodies of its requests and answers."""
