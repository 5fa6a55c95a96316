"""Which of many surfaces are near each other: boxes around them, cells in space, and pairs that are kept while nothing has moved far."""

from flexor.contact.broad.boxes import boxes as boxes
from flexor.contact.broad.near_pairs import NearPairs as NearPairs
