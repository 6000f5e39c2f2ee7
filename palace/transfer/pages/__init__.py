"""Pages that a person can read: one a room, linked, in Markdown or HTML; nothing in them runs or is fetched."""
