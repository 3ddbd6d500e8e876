# SPDX-License-Identifier: GPL-3.0-or-later
"""The mod browser in the sidebar of the 3D view: pictures of the meshes of a folder, an archive or an address."""

from __future__ import annotations

import os
import tempfile

import bpy
import skelmap
from bpy.props import IntProperty, StringProperty
from bpy.utils import previews
from bpy_extras.io_utils import ImportHelper

from .importing import Importing
from .load import LoadError, absolute, loading_set
from .material import printable

# The width of a picture with its name.
WIDTH = 95
# The sets of a page, and the pixels of an edge of their pictures.
PAGE = 12
SIZE = 128
# The most pictures that are kept: each takes 180 kB.
MAX_ICONS = 240


class Shelf:
    """What the browser shows. It is empty in a new file, because Blender keeps no objects of Python."""

    def __init__(self) -> None:
        # A list: the panel is drawn at each move of the mouse, and a set is made each time that it is asked for.
        self.sets: list[skelmap.Set] = []
        self.source = ""
        # The numbers of the sets that the search finds, and of those in sight.
        self.found: list[int] = []
        self.shown: list[int] = []
        self.icons = None
        self.message = ""

    def open(self, source: str, progress=None) -> None:
        """Finds the sets of a folder, an archive or an address."""
        sets = skelmap.sets(source, progress=progress)
        message = "; ".join(sets.faults[:3])
        if not sets:
            raise LoadError(message or f"{source}: no model")
        self.close()
        self.sets, self.source, self.message = list(sets), source, message

    def search(self, words: str) -> None:
        """Keeps the sets whose address has all words, in any case."""
        wanted = words.lower().split()
        addresses = (own.address[len(os.path.dirname(self.source)) :].lower() for own in self.sets)
        self.found = [number for number, address in enumerate(addresses) if all(word in address for word in wanted)]

    def page_count(self) -> int:
        return max(1, -(-len(self.found) // PAGE))

    def show(self, page: int) -> None:
        """Draws the pictures of a page that are not known yet."""
        self.shown = self.found[page * PAGE : (page + 1) * PAGE]
        if self.icons is None:
            self.icons = previews.new()
        if len(self.icons) > MAX_ICONS:
            self.icons.clear()
        missing = [number for number in self.shown if str(number) not in self.icons]
        with tempfile.TemporaryDirectory() as folder:
            for number in missing:
                try:
                    picture = self.sets[number].to_png(SIZE)
                except (OSError, ValueError):
                    picture = None
                if picture is None:
                    continue
                path = os.path.join(folder, f"{number}.png")
                with open(path, "wb") as file:
                    file.write(picture)
                # Read now, for the file is temporary.
                self.icons.load(str(number), path, "IMAGE").image_size[:]

    def icon(self, number: int) -> int:
        own = self.icons.get(str(number)) if self.icons is not None else None
        return own.icon_id if own is not None else 0

    def close(self) -> None:
        if self.icons is not None:
            previews.remove(self.icons)
        self.__init__()


shelf = Shelf()


def turn(self, context) -> None:
    """Another page."""
    if self.skelmap_page > shelf.page_count():
        # Comes back here.
        self.skelmap_page = shelf.page_count()
        return
    shelf.show(self.skelmap_page - 1)


def search(self, context) -> None:
    shelf.search(self.skelmap_search)
    # Shows the page too.
    self.skelmap_page = 1


class SKELMAP_OT_browse(bpy.types.Operator, ImportHelper):
    """List the meshes of a folder, an archive or an address, each with its animations, textures and names of bones"""

    bl_idname = "skelmap.browse"
    bl_label = "Browse"

    filter_glob: StringProperty(default="*.zip;*.pyromod;*.res;*.psk;*.pskx;*.pmd;*.uemodel", options={"HIDDEN"})

    def execute(self, context):
        source = absolute(self.filepath)
        # A file browser in which no file is chosen adds a name to the folder that it shows.
        if self.options.is_invoke and not os.path.exists(source):
            source = os.path.dirname(source)
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        try:
            shelf.open(source, lambda done, count: manager.progress_update(done / max(count, 1)))
        except (LoadError, OSError, ValueError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            manager.progress_end()
        manager.skelmap_source, manager.skelmap_search = printable(source), ""
        if shelf.message:
            self.report({"WARNING"}, shelf.message)
        self.report({"INFO"}, f"{len(shelf.sets)} models")
        return {"FINISHED"}


class SKELMAP_OT_turn(bpy.types.Operator):
    """Another page of the browser"""

    bl_idname = "skelmap.turn"
    bl_label = "Page"

    by: IntProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context):
        page = context.window_manager.skelmap_page + self.by
        if not 1 <= page <= shelf.page_count():
            return {"CANCELLED"}
        context.window_manager.skelmap_page = page
        return {"FINISHED"}


class SKELMAP_OT_load_set(bpy.types.Operator, Importing):
    """Import a model of the browser with its animations, textures and names of bones"""

    bl_idname = "skelmap.load_set"
    bl_label = "Import a model with what belongs to it"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    number: IntProperty(options={"HIDDEN", "SKIP_SAVE"})
    # Where the model lies: when the import is done again with other options, the shelf may have others.
    address: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def description(cls, context, properties) -> str:
        if not 0 <= properties.number < len(shelf.sets):
            return cls.__doc__
        own = shelf.sets[properties.number]
        return f"{printable(own.address)}: import with {len(own.animations)} animations, textures and names of bones"

    def execute(self, context):
        address = printable(shelf.sets[self.number].address) if 0 <= self.number < len(shelf.sets) else None
        if address is None or self.address not in ("", address):
            self.report({"ERROR"}, "The browser shows other models now")
            return {"CANCELLED"}
        self.address = address
        return self.start(context, loading_set(shelf.sets[self.number], self.to_options()))


class SKELMAP_PT_browser(bpy.types.Panel):
    """In the sidebar of the 3D view"""

    bl_idname = "SKELMAP_PT_browser"
    bl_label = "Mod browser"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "skelmap"

    def draw(self, context):
        manager, layout = context.window_manager, self.layout
        # A name that is not UTF-8 is not in the field.
        source = shelf.source if manager.skelmap_source == printable(shelf.source) else manager.skelmap_source
        row = layout.row(align=True)
        row.prop(manager, "skelmap_source", text="")
        # What the field has is listed; the folder opens Blender's file browser first.
        row.operator_context = "EXEC_DEFAULT"
        row.operator("skelmap.browse", text="", icon="FILE_REFRESH").filepath = source
        row.operator_context = "INVOKE_DEFAULT"
        row.operator("skelmap.browse", text="", icon="FILE_FOLDER")
        width = context.region.width / context.preferences.system.ui_scale
        draw_sets(layout, manager, max(1, int(width / WIDTH)))


def draw_sets(layout, manager, columns: int) -> None:
    if not shelf.sets:
        layout.label(text="A folder, an archive or an address")
        return
    layout.prop(manager, "skelmap_search", text="", icon="VIEWZOOM")
    grid = layout.grid_flow(row_major=True, columns=columns, even_columns=True, even_rows=True)
    for number in shelf.shown:
        own, cell = shelf.sets[number], grid.column(align=True)
        cell.template_icon(icon_value=shelf.icon(number), scale=5.0)
        cell.operator("skelmap.load_set", text=own.name).number = number
        cell.label(text=str(len(own.animations)) if own.is_mesh else "alone", icon="ACTION")
    row = layout.row(align=True)
    row.operator("skelmap.turn", text="", icon="TRIA_LEFT").by = -1
    row.label(text=f"page {manager.skelmap_page} of {shelf.page_count()}: {len(shelf.found)} models")
    row.operator("skelmap.turn", text="", icon="TRIA_RIGHT").by = 1


CLASSES = (SKELMAP_OT_browse, SKELMAP_OT_turn, SKELMAP_OT_load_set, SKELMAP_PT_browser)


@bpy.app.handlers.persistent
def forget(*_) -> None:
    shelf.close()


def register() -> None:
    bpy.app.handlers.load_post.append(forget)
    kind = bpy.types.WindowManager
    kind.skelmap_source = StringProperty(name="Source", description="A folder, an archive or an address")
    kind.skelmap_search = StringProperty(
        name="Search", description="Words of the path", update=search, options={"TEXTEDIT_UPDATE", "SKIP_SAVE"}
    )
    kind.skelmap_page = IntProperty(name="Page", default=1, min=1, update=turn, options={"SKIP_SAVE"})


def unregister() -> None:
    bpy.app.handlers.load_post.remove(forget)
    shelf.close()
    for name in ("skelmap_source", "skelmap_search", "skelmap_page"):
        delattr(bpy.types.WindowManager, name)
