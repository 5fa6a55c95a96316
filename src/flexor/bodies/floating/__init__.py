"""A reduced body in a floating frame, with or without stiffening."""
