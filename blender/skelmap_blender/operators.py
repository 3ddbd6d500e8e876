# SPDX-License-Identifier: GPL-3.0-or-later
"""What people click: File > Import, drag and drop, and `bpy.ops.skelmap.load` for scripts."""

from __future__ import annotations

import os

import bpy
from bpy.props import CollectionProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import browser
from .importing import Importing
from .load import loading

EXTENSIONS = (".psk", ".pskx", ".psa", ".pmd", ".gsa", ".uemodel", ".ueanim", ".uepose")


class SKELMAP_OT_load(bpy.types.Operator, Importing, ImportHelper):
    """Import skeletal meshes and animations: Unreal (PSK, PSA, UEFormat), 0 A.D. (PMD, PSA), SWAT 3 (GSA)"""

    bl_idname = "skelmap.load"
    bl_label = "Import skeletal meshes and animations"
    bl_options = {"REGISTER", "UNDO", "PRESET"}  # noqa: RUF012

    filename_ext = ""
    filter_glob: StringProperty(default=";".join(f"*{own}" for own in EXTENSIONS), options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})

    lod: IntProperty(name="Level of detail", description="Of UEFormat models, counted from 0, the finest", default=0, min=0)

    def paths(self) -> list[str]:
        names = [own.name for own in self.files if own.name]
        if names:
            return [os.path.join(self.directory, name) for name in names]
        return [self.filepath] if self.filepath else []

    def execute(self, context):
        paths = self.paths()
        if not paths:
            self.report({"ERROR"}, "No file is chosen")
            return {"CANCELLED"}
        active = context.active_object
        if active is not None and active.type == "MESH":
            active = active.find_armature()
        armature = active if active is not None and active.type == "ARMATURE" else None
        return self.start(context, loading(paths, self.to_options(), armature))

    def invoke(self, context, event):
        # Files that were dropped are known already.
        if self.directory and any(own.name for own in self.files):
            return context.window_manager.invoke_props_dialog(self)
        return ImportHelper.invoke(self, context, event)


class SKELMAP_FH_load(bpy.types.FileHandler):
    """Files that are dropped onto a view."""

    bl_idname = "SKELMAP_FH_load"
    bl_label = "Skeletal meshes and animations"
    bl_import_operator = "skelmap.load"
    bl_file_extensions = ";".join(EXTENSIONS)

    @classmethod
    def poll_drop(cls, context):
        return context.area is not None and context.area.type in {"VIEW_3D", "OUTLINER"}


def menu(self, context) -> None:
    self.layout.operator(SKELMAP_OT_load.bl_idname, text="Skeletal mesh, animation (.psk .psa .pmd .gsa .uemodel)")


CLASSES = (SKELMAP_OT_load, SKELMAP_FH_load, *browser.CLASSES)


def register() -> None:
    for own in CLASSES:
        bpy.utils.register_class(own)
    bpy.types.TOPBAR_MT_file_import.append(menu)
    browser.register()


def unregister() -> None:
    browser.unregister()
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    for own in reversed(CLASSES):
        bpy.utils.unregister_class(own)
