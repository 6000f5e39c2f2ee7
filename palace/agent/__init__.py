"""Memory around an agent's messages: decide whether to recall, write the query, insert the hits, file the exchange."""
