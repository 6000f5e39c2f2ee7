"""The command line: a front end that shows what the façade returns and knows nothing of how it is done."""
