"""Readable pages, one for each room, with links, in Markdown or HTML; they run no scripts and load nothing."""
