# SPDX-License-Identifier: GPL-3.0-or-later
"""skelmap in Blender: skeletal meshes and animations of Unreal, 0 A.D. and SWAT 3.

From a script: `bpy.ops.skelmap.load(filepath="fox.psk")`, or `load` of the module `load`, which returns what it made.
"""

from __future__ import annotations

from . import operators

register = operators.register
unregister = operators.unregister
