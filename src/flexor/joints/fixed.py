"""Fixed joint (rigid coupling): no motion.   FTG (6.14)"""

from __future__ import annotations

from typing import Literal

from flexor.joints.joint import Joint


class Fixed(Joint):
    """Couples B rigidly to A; its reactions are the internal forces of the coupling."""

    type: Literal["fixed"] = "fixed"
