"""Questions that people ask of their own memory: short facts, a year of talks, things that changed, and answers.

The sets are written for this benchmark, by hand and without looking at what Palace answers: `tune` to develop with,
`apart` to check with. Every person, talk and question in them is invented.
"""
