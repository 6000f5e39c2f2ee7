"""ChatGPT's data export: conversations, and what lies beside them."""
