"""How ``palace browse`` feels: when it paints, how late a frame is, what it takes of memory."""
