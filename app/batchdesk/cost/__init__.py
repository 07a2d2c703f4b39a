"""What requests cost: pure reckoning over token counts and price lists; nothing is fetched."""
