"""The command line: a front end that shows the façade's results and contains no logic of its own."""
