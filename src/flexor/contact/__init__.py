"""Contacts, one file each. A new one is one more line here, which lists it in CONTACTS."""

from flexor.contact.rolling_disc import RollingDisc as RollingDisc
from flexor.declaration import registered

CONTACTS = registered(globals())
