"""What was said in a turn: written down, filed, or waiting in the outbox until it can be."""
