//! What a paper is: its ids, a search for it, what several sources say of it as one, and how it is written down.
