"""Mining what lies in folders as it grows, beside the work on the queue."""
