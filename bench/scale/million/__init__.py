"""A palace of many users at full size: filled fast where nothing is measured, by the product where something is."""
