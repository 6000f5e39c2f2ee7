"""Mail: mailboxes and single mails, put together to threads."""
