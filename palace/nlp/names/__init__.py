"""The names that stand in messages: people, places, organisations, events, things, projects; ``reading`` finds them."""
