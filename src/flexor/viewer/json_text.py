"""Headers as JSON: numbers that JSON does not know become null, texts stay texts wherever they stand."""

from __future__ import annotations

import json
import math
from typing import Any


def json_text(value: Any) -> str:
    """Strict JSON."""
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def json_in_page(value: Any) -> str:
    """JSON that may stand within a script of a page: no tag can end or begin in it."""
    text = json_text(value)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()  # half of a surrogate pair is no text
    if isinstance(value, dict):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    if hasattr(value, "tolist"):
        return _finite(value.tolist())
    return value
