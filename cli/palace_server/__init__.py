"""The palace over HTTP: REST with keys, for programs in any language."""
