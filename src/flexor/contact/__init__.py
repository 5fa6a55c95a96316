# ruff: noqa: I001
"""Contacts, one file each. A new one is one more line here, which lists it in CONTACTS."""

from flexor.declaration import registered

from flexor.contact.contact import Contact as Contact
from flexor.contact.contacts import Contacts as Contacts
from flexor.contact.rolling_disc import RollingDisc as RollingDisc

CONTACTS = registered(globals())
