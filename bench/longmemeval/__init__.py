"""LongMemEval: 500 questions about long chat histories (Wu et al., ICLR 2025)."""
