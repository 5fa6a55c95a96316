"""Overlaps that the approach of two surfaces does not see.

Of some pairs of solids the approach follows features that are known to touch (`flexor.contact.approach`): walls, rims, corners. So that nothing goes through another one in silence, the sharp edges of
each are followed along the signed distance of the other one, in another way than the approach does. A point of one solid that is d deep within the other one means that both overlap by d at least,
along whatever direction; where much less is told, that is unseen.
"""

from flexor.contact.unseen.look import watch as watch
from flexor.contact.unseen.look import way_of as way_of
from flexor.contact.unseen.looked import looked_at as looked_at

INSTEAD = "give one of them as a box, a cylinder, a cone or triangles, in what is hollow with straight sides or as triangles, or put spheres where edges meet"
"""What can be done where an overlap is not seen."""
