"""Recall: arms propose candidates, fusion ranks them, the floor filters them, packing formats them."""
