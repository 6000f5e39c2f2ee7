"""Views for people; a view is a pure function from a record to something that Rich prints."""
