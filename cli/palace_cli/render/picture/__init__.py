"""Pictures of the palace as SVG."""
