"""The palace in outline, page by page behind a mark: no text of a drawer beyond its beginning."""
