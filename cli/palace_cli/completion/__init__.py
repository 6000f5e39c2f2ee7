"""Shell completion: what of the user's own may be meant by what is typed. Quick, silent, and harmless to the shell."""
