"""Filing: conversations with their rooms, drawers and closets, and rebuilding what was derived from them.

Lock order within a transaction: the conversation, then the user's generations (shared), then the rooms in order of id,
then drawers in order of identity. Wings and the user's row are touched in short transactions of their own.
"""
