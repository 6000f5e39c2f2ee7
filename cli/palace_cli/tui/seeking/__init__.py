"""What seeking needs and no widget is: the query line, where one was, how a strip is drawn. All of it is pure."""
