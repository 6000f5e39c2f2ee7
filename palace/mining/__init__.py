"""Mining: read sources, file new drawers, embed passages and compute topics."""
