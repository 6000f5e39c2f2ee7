"""Taking a palace elsewhere: exporting, importing, and pages for people."""
