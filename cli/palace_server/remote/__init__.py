"""Palaces for assistants that speak the Model Context Protocol over the network."""
