"""The files of configurations: read, compared, written whole, and what is remembered of them for taking back."""
