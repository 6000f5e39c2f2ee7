"""What messages are about, worked out from what was read from them: who is who, and what held when."""
