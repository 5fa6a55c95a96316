"""Models: declared, checked, saved and loaded, and resolved for the engine."""

from flexor.model.component import Component, Instance
from flexor.model.items import ITEMS, KINDS
from flexor.model.lower import lower
from flexor.model.mechanism import Follower, Mechanism, Node, Scalar
from flexor.model.model import Model
from flexor.model.report import Report

__all__ = [
    "ITEMS",
    "KINDS",
    "Component",
    "Follower",
    "Instance",
    "Mechanism",
    "Model",
    "Node",
    "Report",
    "Scalar",
    "lower",
]
