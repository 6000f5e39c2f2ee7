"""LoCoMo: questions about two people's conversations over months (Maharana et al., ACL 2024)."""
