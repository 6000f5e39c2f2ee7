"""Files a conversation: identifies it, finds its new turns, and chooses wing and rooms."""
