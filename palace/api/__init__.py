"""The façade: a palace that is opened, filed in, asked and closed; the palaces of several users; the server."""
