# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials, with the images that `skelmap.sets` finds."""

from __future__ import annotations

import os

import bpy
import numpy as np

# The property of an image that names its file, and that of a material with its name in the file, the meaning of
# alpha, and the file of its image.
ADDRESS = "skelmap_image"
KEY = "skelmap_material"


class Dressing:
    """The materials of a mesh."""

    def __init__(self, mesh, name: str, textures, is_transparent: bool, options) -> None:
        self.mesh, self.options = mesh, options
        images = textures.of_materials if textures else ()
        names = mesh.material_names
        if not names and any(images):
            names = [name]
        surfaces = mesh.surfaces
        self.parts = []
        for number, own in enumerate(names):
            image = images[number] if number < len(images) else None
            alpha = surfaces[number].alpha if number < len(surfaces) else "opaque"
            self.parts.append((own, image, "masked" if is_transparent else alpha))

    def add(self, data, kept) -> None:
        """Gives materials to a mesh of Blender. `kept`: the numbers of its faces in the file."""
        for name, image, alpha in self.parts:
            data.materials.append(self.material(name, image, alpha))
        numbers = materials_of_faces(self.mesh)
        if numbers is not None and len(kept) and len(data.materials):
            data.polygons.foreach_set("material_index", np.minimum(numbers[kept], len(data.materials) - 1).astype(np.int32))

    def material(self, name: str, image, alpha: str):
        key = f"{name}\n{alpha}\n{printable(image.address) if image else ''}"
        if self.options.reuse_materials:
            known = bpy.data.materials.get(name)
            # One that people made is the one they want; one of this extension has this very image.
            if known is None or KEY in known:
                known = next((own for own in bpy.data.materials if own.get(KEY) == key), None)
            if known is not None:
                return known
        material = bpy.data.materials.new(name)
        material[KEY] = key
        if image is not None:
            paint(material, image_of(image), alpha)
        return material


def printable(address: str) -> str:
    return os.fsencode(address).decode(errors="replace")


def paint(material, image, alpha: str) -> None:
    """The image as the colour of a material, and its alpha where it means something."""
    if not material.node_tree:
        material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    if shader is None:
        return
    texture = nodes.new("ShaderNodeTexImage")
    texture.image, texture.location = image, (shader.location.x - 300, shader.location.y)
    links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    if alpha == "opaque":
        # Such as the colour of a player.
        image.alpha_mode = "CHANNEL_PACKED"
        return
    links.new(texture.outputs["Alpha"], shader.inputs["Alpha"])
    material.surface_render_method = "BLENDED" if alpha == "blended" else "DITHERED"


def image_of(image):
    """An image of Blender: the file itself where it is one, otherwise its bytes."""
    address = printable(image.address)
    known = next((own for own in bpy.data.images if own.get(ADDRESS) == address), None)
    if known is not None:
        return known
    made = None
    if os.path.isfile(image.address):
        try:
            made = bpy.data.images.load(os.path.abspath(image.address))
        except (RuntimeError, UnicodeError):
            made = None
    if made is None or not made.size[0]:
        if made is not None:
            bpy.data.images.remove(made)
        made = bpy.data.images.new(image.name, 8, 8)
        made.pack(data=image.data, data_len=len(image.data))
        made.source = "FILE"
    made[ADDRESS] = address
    return made


def materials_of_faces(mesh):
    """The number of the material of each face."""
    if mesh.format == "actorx.psk":
        return mesh.faces["material"]
    if mesh.format == "ueformat.uemodel":
        numbers = np.zeros(len(mesh.to_triangles()), np.int64)
        for number, material in enumerate(mesh.materials):
            first = max(0, material.first_index) // 3
            numbers[first : first + max(0, material.face_count)] = number
        return numbers
    return None
