"""Text of coding agents' sessions: tool calls, commands, and errors in what commands printed."""
