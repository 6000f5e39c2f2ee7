"""Mining: from a source to filed drawers, embedded passages and topics."""
