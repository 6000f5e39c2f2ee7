"""Relations and the words of people: times as exactly as they are known, and which relation a question asks for."""
