"""Two topics that somebody talks about, turn by turn, alternating between the one who asks and the one who answers."""

from __future__ import annotations

WIRING = (
    "The battery wiring of my efoil overheated. Which wire gauge should the battery wiring have?",
    "For a battery of 24 volts and 60 amps use silicone wire of 8 AWG; battery wiring of 12 AWG overheats.",
    "How long may the battery wires be before the voltage drops?",
    "Keep the battery wires below half a metre; longer wires need a thicker gauge against voltage drop.",
    "And should I fuse the battery wiring?",
    "Yes, put a fuse of 80 amps into the battery wiring, close to the battery.",
)
HOLIDAY = (
    "We are planning a Hawaii trip in March. What should a Hawaii trip to Maui cost?",
    "Flights to Maui cost about 700 dollars, hotels in Maui 250 dollars a night; budget 5000 for a Hawaii trip.",
    "Which beaches on Maui are good for snorkelling with children?",
    "Children love the beaches at Kapalua and Ulua; snorkelling on Maui is calm there in the morning.",
    "Should we book the hotel before the flights?",
    "Book flights first; hotels on Maui can be cancelled, flights to Hawaii can not.",
)
