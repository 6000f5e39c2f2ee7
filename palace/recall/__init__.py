"""Answering a query: arms propose, fusion orders, the floor refuses, packing writes it out."""
