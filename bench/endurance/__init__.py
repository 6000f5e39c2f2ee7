"""Whether a palace survives: killed miners and servers, a full disk, many writers and readers at once."""
