"""Contact that moves over the whole surface of a body that deforms: sides of shape functions, skins of meshes."""
