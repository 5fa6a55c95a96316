"""Contacts, one file each; a new one is listed in CONTACTS."""

from flexor.contact.rolling_disc import RollingDisc

CONTACTS = (RollingDisc,)

__all__ = ["CONTACTS", "RollingDisc"]
