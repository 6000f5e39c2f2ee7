"""Tables with a header (CSV, TSV): a row is a message or a note, what its columns are is told by their names."""
