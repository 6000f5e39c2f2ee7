"""What a person sees, one a file. Widgets display records and post messages; screens decide."""
