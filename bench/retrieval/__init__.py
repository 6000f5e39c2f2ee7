"""Measuring retrieval: one harness for every data set that has questions, dated sessions and marked evidence."""
