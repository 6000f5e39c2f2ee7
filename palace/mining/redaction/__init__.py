"""Taking secrets out of what is filed, and knowing it again although its words are not what was said."""
