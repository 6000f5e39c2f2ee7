"""Filing: runs, conversations, their places, their drawers and their closets.

Lock order within a transaction: the conversation, then the user's generations (shared), then the rooms in order of
id, then drawers in order of identity. Wings and the user's row are touched in short transactions of their own.
"""
