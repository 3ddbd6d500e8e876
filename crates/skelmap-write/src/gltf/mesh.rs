//! The mesh of a file with its skin and its attachments.

use std::collections::HashMap;
use std::ops::Range;

use skelmap::model::Alpha;
use skelmap::shared::{to_u32, to_u64, to_usize};

use super::Gltf;
use super::error::{GltfError, GltfErrorKind, Objects, short};
use super::json::{Fields, StoredViews, parts};
use super::nodes::Node;
use crate::affine::{Affine, Place, dot, narrowed};
use crate::model::{Attachment, Influences, Joint, Material, Model, StoredMesh, Triangle};
use crate::names::{clean, prop_name};

/// The mode of a primitive that is a list of triangles.
const TRIANGLES: u64 = 4;

/// How far the place of a mesh may differ from one that changes nothing: the rounding of inverse bind matrices, for a model of metres.
const NOISE: f64 = 1e-5;

/// The most sets of texture coordinates, and of influences.
const MAX_SETS: usize = 8;

/// The most vertices and triangles of a model, in addition to one for so many bytes of its file: shared accessors are read once, so that real files have
/// fewer.
const MIN_ELEMENTS: u64 = 1 << 16;
const BYTES_OF_VERTEX: u64 = 3;

/// The prop point that stands for the mesh itself.
const ROOT: &str = "root";

/// The most names in an error.
const MAX_NAMES: usize = 16;

/// Where the nodes of a skin are.
pub(super) struct Skin {
    /// The node of each joint.
    pub(super) joints: Vec<u32>,
    inverse_bind: Vec<Affine>,
}

/// The accessors of a primitive's attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Attributes {
    position: Option<u32>,
    normal: Option<u32>,
    color: Option<u32>,
    uvs: Vec<u32>,
    joints: Vec<u32>,
    weights: Vec<u32>,
}

impl Gltf<'_> {
    /// The model of a mesh node: the one of this name; else the one that is marked with `export` in its `extras`; else the only one of the scene. O(bytes).
    ///
    /// # Errors
    /// [`GltfErrorKind::Objects`] if there is no such node, or more than one; [`GltfError`] of what the node names.
    pub fn to_model(&self, object: Option<&str>) -> Result<Model, GltfError> {
        let (index, node) = self.object(object)?;
        let path = format!("nodes[{index}]");
        let skin = node.skin.map(|skin| self.skin(skin, &path)).transpose()?;
        let mut model =
            Model { name: node.name.clone(), generator: self.generator().map(ToOwned::to_owned), ..Model::default() };
        let ranges = self.add_mesh(&mut model, node.mesh.unwrap_or_default(), &path, skin.is_some())?;
        let place = match &skin {
            Some(skin) => self.add_joints(&mut model, skin),
            None => self.world(index),
        };
        put(&mut model, &place);
        model.tidy(&ranges);
        self.add_attachments(&mut model, index, skin.as_ref());
        Ok(model)
    }

    /// The node of [`to_model`](Self::to_model).
    pub(super) fn object(&self, asked: Option<&str>) -> Result<(u32, &Node), GltfError> {
        let all = || {
            let nodes = self.nodes.order.iter().filter_map(|index| Some((*index, self.nodes.get(*index)?)));
            nodes.filter(|(_, node)| node.mesh.is_some())
        };
        let mut found: Vec<_> = match asked {
            Some(asked) => all().filter(|(_, node)| node.name == asked).collect(),
            None => all().filter(|(_, node)| node.extras.is_export).collect(),
        };
        if found.is_empty() && asked.is_none() {
            found = all().take(2).collect();
        }
        if let [only] = found.as_slice() {
            return Ok(*only);
        }
        let names = all().take(MAX_NAMES).map(|(_, node)| short(&node.name)).collect();
        let objects = Objects { asked: asked.map(short), names, count: all().count() };
        Err(GltfErrorKind::Objects(objects).at(""))
    }

    /// The place of a node at rest, in the scene.
    fn world(&self, node: u32) -> Affine {
        let local = |node: u32| self.nodes.get(node).map_or(Affine::IDENTITY, |node| node.local.to_affine());
        self.nodes.ancestors(node).fold(local(node), |inner, parent| local(parent).product(&inner))
    }

    pub(super) fn skin(&self, index: u32, from: &str) -> Result<Skin, GltfError> {
        let skin = self.root.element((&self.root.skins, "skins"), index, &format!("{from}.skin"))?;
        let skin = skin.fields()?;
        let joints = skin.indices("joints")?;
        for joint in &joints {
            if self.nodes.get(*joint).is_none() {
                let count = self.nodes.nodes.len();
                let kind = GltfErrorKind::Missing { index: (*joint).into(), list: "nodes", count };
                return Err(kind.at(format_args!("skins[{index}].joints")));
            }
        }
        let inverse_bind = match skin.index("inverseBindMatrices")? {
            Some(accessor) => {
                let path = format!("skins[{index}].inverseBindMatrices");
                let numbers = self.numbers(accessor, &path)?;
                if numbers.count < joints.len() {
                    return Err(GltfErrorKind::Invalid("has fewer matrices than the skin has joints").at(path));
                }
                let matrices: Vec<[f32; 16]> = numbers.to_floats()?;
                matrices.iter().take(joints.len()).map(Affine::of_matrix).collect()
            }
            None => vec![Affine::IDENTITY; joints.len()],
        };
        Ok(Skin { joints, inverse_bind })
    }

    /// Adds the primitives of a mesh, with their vertices where they are in the mesh. Returns the ranges of vertices that were added together.
    fn add_mesh(
        &self,
        model: &mut Model,
        index: u32,
        from: &str,
        is_skinned: bool,
    ) -> Result<Vec<Range<usize>>, GltfError> {
        let mesh = parts((&self.root.meshes, "meshes"), index, &format!("{from}.mesh"))?;
        if let (true, StoredViews { vertices: Some(vertices), bones: Some(bones), .. }) =
            (model.is_ours(), mesh.stored())
        {
            let path = format!("meshes[{index}].extras.stored");
            let vertices = self.view(vertices, &path)?.0.to_vec();
            model.stored = Some(StoredMesh { vertices, bones: self.view(bones, &path)?.0.to_vec() });
        }
        let (mut known, mut ranges) = (HashMap::new(), Vec::new());
        let mut materials: HashMap<Option<u32>, u32> = HashMap::new();
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let path = format!("meshes[{index}].primitives[{number}]");
            let primitive = self.root.read(primitive, path.clone())?;
            let primitive = primitive.fields()?;
            if primitive.size("mode")?.is_some_and(|mode| mode != TRIANGLES) {
                return Err(GltfErrorKind::Invalid("is no list of triangles").at(path));
            }
            if number == 0 {
                model.report.dropped_morphs = primitive.list("targets")?.len();
            }
            let attributes = Attributes::of(&primitive, is_skinned)?;
            let position = attributes.position;
            if attributes.uvs.len().max(attributes.joints.len()) > MAX_SETS {
                return Err(GltfErrorKind::Limit { limit: to_u64(MAX_SETS), what: "sets of attributes" }.at(path));
            }
            let first = if let Some(first) = known.get(&attributes) {
                *first
            } else {
                let first = self.add_vertices(model, &attributes, &path, is_skinned)?;
                ranges.push(to_usize(first.into())..model.positions.len());
                known.insert(attributes, first);
                first
            };
            let material = primitive.index("material")?;
            let material = if let Some(number) = materials.get(&material) {
                *number
            } else {
                let (own, has_texture) = self.material(material, &path)?;
                model.report.textures = model.report.textures.saturating_add(has_texture.into());
                model.materials.push(own);
                let number = to_u32(materials.len());
                materials.insert(material, number);
                number
            };
            self.add_triangles(model, (primitive.index("indices")?, position), (first, material), &path)?;
            let limits = [
                (model.positions.len(), self.size / BYTES_OF_VERTEX, "vertices for the bytes of the file"),
                (model.triangles.len(), self.size, "triangles for the bytes of the file"),
            ];
            for (count, limit, what) in limits {
                let limit = limit.saturating_add(MIN_ELEMENTS);
                if to_u64(count) > limit {
                    return Err(GltfErrorKind::Limit { limit, what }.at(path));
                }
            }
        }
        Ok(ranges)
    }

    /// A material, and whether it has a texture with colours.
    fn material(&self, index: Option<u32>, from: &str) -> Result<(Material, bool), GltfError> {
        let Some(index) = index else { return Ok((Material::default(), false)) };
        let own = self.root.element((&self.root.materials, "materials"), index, &format!("{from}.material"))?;
        let own = own.fields()?;
        let alpha = match own.text("alphaMode") {
            Some("MASK") => Some(Alpha::Masked),
            Some("BLEND") => Some(Alpha::Blended),
            _ => None,
        };
        let name = own.text("name").unwrap_or_default().to_owned();
        let colours = own.object("pbrMetallicRoughness")?;
        let has_texture = colours.is_some_and(|colours| colours.has("baseColorTexture"));
        Ok((Material { name, is_two_sided: own.is("doubleSided"), alpha }, has_texture))
    }

    /// Adds the vertices of a primitive. Returns the number of the first.
    fn add_vertices(
        &self,
        model: &mut Model,
        own: &Attributes,
        path: &str,
        is_skinned: bool,
    ) -> Result<u32, GltfError> {
        let first = model.positions.len();
        let Some(position) = own.position else {
            return Err(GltfErrorKind::Invalid("has no POSITION").at(path));
        };
        let named = |name: &str| format!("{path}.attributes.{name}");
        let positions: Vec<[f32; 3]> = self.numbers(position, &named("POSITION"))?.to_floats()?;
        let count = positions.len();
        if u32::try_from(first.saturating_add(count)).is_err() {
            return Err(GltfErrorKind::Limit { limit: u32::MAX.into(), what: "vertices" }.at(path));
        }
        if positions.iter().flatten().any(|value| !value.is_finite()) {
            return Err(GltfErrorKind::Invalid("has a position that is not finite").at(named("POSITION")));
        }
        let check = |found: usize, name: &str| {
            let error = GltfErrorKind::Invalid("has another number of elements than POSITION");
            if found == count { Ok(()) } else { Err(error.at(named(name))) }
        };
        model.positions.extend(positions);
        let normals: Vec<[f32; 3]> = match own.normal {
            Some(normal) => self.numbers(normal, &named("NORMAL"))?.to_floats()?,
            // Computed later.
            None => vec![[0.0; 3]; count],
        };
        check(normals.len(), "NORMAL")?;
        model.normals.extend(normals);
        for set in 0..own.uvs.len().max(model.uvs.len()) {
            let uvs: Vec<[f32; 2]> = match own.uvs.get(set) {
                Some(accessor) => self.numbers(*accessor, &named("TEXCOORD"))?.to_floats()?,
                None => vec![[0.0; 2]; count],
            };
            check(uvs.len(), "TEXCOORD")?;
            if model.uvs.len() == set {
                model.uvs.push(vec![[0.0; 2]; first]);
            }
            let zeroed = &mut model.report.zeroed_numbers;
            let finite = uvs.into_iter().map(|uv| uv.map(|value| kept_or_zero(value, value.is_finite(), zeroed)));
            if let Some(all) = model.uvs.get_mut(set) {
                all.extend(finite);
            }
        }
        if own.uvs.is_empty() {
            model.report.vertices_without_uvs = model.report.vertices_without_uvs.saturating_add(count);
        }
        if own.color.is_some() || !model.colors.is_empty() {
            model.colors.resize(first, [255; 4]);
            if let Some(color) = own.color {
                let colors = self.colors(color, &named("COLOR_0"), &mut model.report.zeroed_numbers)?;
                model.colors.extend(colors);
            }
            model.colors.resize(first.saturating_add(count), [255; 4]);
        }
        if is_skinned {
            self.add_influences(model, own, count, path)?;
        }
        Ok(to_u32(first))
    }

    fn colors(&self, accessor: u32, path: &str, zeroed: &mut usize) -> Result<Vec<[u8; 4]>, GltfError> {
        let numbers = self.numbers(accessor, path)?;
        let mut byte = |value: f32| {
            let value = kept_or_zero(value, value.is_finite(), zeroed);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::as_conversions,
                reason = "clamped"
            )]
            let byte = (value.clamp(0.0, 1.0) * 255.0).round() as u8;
            byte
        };
        if let Ok(colors) = numbers.to_floats::<3>() {
            return Ok(colors.into_iter().map(|[r, g, b]| [byte(r), byte(g), byte(b), 255]).collect());
        }
        Ok(numbers.to_floats::<4>()?.into_iter().map(|color| color.map(&mut byte)).collect())
    }

    fn add_influences(&self, model: &mut Model, own: &Attributes, count: usize, path: &str) -> Result<(), GltfError> {
        let mut sets = Vec::new();
        for (set, (joints, weights)) in own.joints.iter().zip(&own.weights).enumerate() {
            let path = format!("{path}.attributes.JOINTS_{set}");
            let joints: Vec<[u32; 4]> = self.numbers(*joints, &path)?.to_integers()?;
            let weights: Vec<[f32; 4]> = self.numbers(*weights, &path)?.to_floats()?;
            if joints.len() != count || weights.len() != count {
                return Err(GltfErrorKind::Invalid("has another number of elements than POSITION").at(path));
            }
            sets.push(joints.into_iter().zip(weights));
        }
        let mut influences: Influences = std::mem::take(&mut model.influences);
        for _ in 0..count {
            let rows = sets.iter_mut().filter_map(Iterator::next);
            let pairs = rows.flat_map(|(joints, weights)| joints.into_iter().zip(weights));
            let zeroed = &mut model.report.zeroed_numbers;
            let weights =
                pairs.map(|(joint, weight)| (joint, kept_or_zero(weight, weight.is_finite() && weight >= 0.0, zeroed)));
            influences.push(weights.filter(|(_, weight)| *weight > 0.0));
        }
        model.influences = influences;
        Ok(())
    }

    fn add_triangles(
        &self,
        model: &mut Model,
        (indices, position): (Option<u32>, Option<u32>),
        (first, material): (u32, u32),
        path: &str,
    ) -> Result<(), GltfError> {
        let count = position.map(|position| self.numbers(position, path)).transpose()?;
        let count = count.map_or(0, |numbers| to_u32(numbers.count));
        let indices: Vec<u32> = match indices {
            Some(accessor) => {
                let path = format!("{path}.indices");
                let indices: Vec<[u32; 1]> = self.numbers(accessor, &path)?.to_integers()?;
                if indices.iter().any(|[index]| *index >= count) {
                    return Err(GltfErrorKind::Invalid("has an index that no vertex has").at(path));
                }
                indices.into_iter().map(|[index]| index).collect()
            }
            None => (0..count).collect(),
        };
        if indices.len() % 3 != 0 {
            return Err(GltfErrorKind::Invalid("has a triangle with fewer than three corners").at(path));
        }
        let corners = indices.chunks_exact(3).filter_map(|corners| corners.first_chunk().copied());
        model.triangles.extend(corners.map(|corners: [u32; 3]| Triangle {
            vertices: corners.map(|corner| corner.saturating_add(first)),
            material,
        }));
        Ok(())
    }

    /// Adds the joints of a skin. Returns the place of the mesh.
    fn add_joints(&self, model: &mut Model, skin: &Skin) -> Affine {
        let numbers: HashMap<u32, usize> =
            skin.joints.iter().enumerate().map(|(number, node)| (*node, number)).collect();
        let worlds = self.worlds(&skin.joints);
        let above = self.nodes.nearest_above(|node| numbers.get(&node).copied());
        let shapes: Vec<Affine> =
            worlds.iter().zip(&skin.inverse_bind).map(|(world, inverse)| world.product(inverse)).collect();
        let shape = shapes.first().copied().unwrap_or(Affine::IDENTITY);
        let size =
            worlds.iter().flat_map(|world| world.translation).fold(1.0, |size: f64, value| size.max(value.abs()));
        let is_near = |one: &Affine, other: &Affine| {
            let columns = one.columns.iter().flatten().zip(other.columns.iter().flatten());
            let scale = other.columns.iter().flatten().fold(f64::MIN_POSITIVE, |most, value| value.abs().max(most));
            columns.fold(0.0, |most: f64, (one, other)| most.max((one - other).abs())) <= NOISE * scale
                && (0..3).all(|axis| {
                    let at = |matrix: &Affine| matrix.translation.get(axis).copied().unwrap_or_default();
                    (at(one) - at(other)).abs() <= NOISE * size
                })
        };
        let posed = shapes.iter().map(|own| !is_near(own, &shape));
        for ((index, is_posed), node) in posed.enumerate().zip(&skin.joints) {
            let (world, inverse) = (worlds.get(index), skin.inverse_bind.get(index));
            let bound = || inverse.and_then(Affine::inverse).map(|bind| shape.product(&bind));
            let world = world.copied().unwrap_or(Affine::IDENTITY);
            let place = if is_posed { bound().unwrap_or(world) } else { world };
            model.report.posed_joints = model.report.posed_joints.saturating_add(is_posed.into());
            let name = self.nodes.get(*node).map(|node| node.name.clone()).unwrap_or_default();
            let parent = above.get(to_usize((*node).into())).copied().flatten();
            model.joints.push(Joint { name, parent, place: Place::of(&place) });
        }
        if let Some(first) = skin.joints.first() {
            let nodes = std::iter::once(*first).chain(self.nodes.ancestors(*first));
            let names = nodes.filter_map(|node| self.nodes.get(node)).map(|node| node.name.clone());
            model.ancestors = names.collect();
        }
        if is_near(&shape, &Affine::IDENTITY) { Affine::IDENTITY } else { shape }
    }

    /// The places of nodes at rest, in the scene. O(nodes).
    pub(super) fn worlds(&self, nodes: &[u32]) -> Vec<Affine> {
        let mut all = vec![Affine::IDENTITY; self.nodes.nodes.len()];
        for index in &self.nodes.order {
            let Some(node) = self.nodes.get(*index) else { continue };
            let parent = node.parent.and_then(|parent| all.get(to_usize(parent.into())));
            let own = node.local.to_affine();
            let world = parent.map_or(own, |parent| parent.product(&own));
            all.get_mut(to_usize((*index).into())).into_iter().for_each(|place| *place = world);
        }
        nodes.iter().map(|node| all.get(to_usize((*node).into())).copied().unwrap_or(Affine::IDENTITY)).collect()
    }

    /// Adds the attachments: of a skin, nodes directly below a joint; of a model without one, its node and all below it. What this project wrote says
    /// so in its extras, wherever it is.
    fn add_attachments(&self, model: &mut Model, object: u32, skin: Option<&Skin>) {
        let joints: HashMap<u32, usize> =
            skin.iter().flat_map(|skin| skin.joints.iter().enumerate()).map(|(number, node)| (*node, number)).collect();
        let is_ours = model.is_ours();
        let mut found: Vec<(Option<usize>, u32, Attachment)> = Vec::new();
        let all: Vec<u32> = (0..to_u32(self.nodes.nodes.len())).collect();
        let worlds = self.worlds(&all);
        let below = self.nodes.nearest_above(|node| (node == object).then_some(()));
        for index in &self.nodes.order {
            let Some(node) = self.nodes.get(*index) else { continue };
            let stored = node.extras.attachment;
            // A file of this project says which nodes are attachments, whatever the names of others are.
            let named = prop_name(&node.name).filter(|_| stored.is_some() || !is_ours);
            let Some(name) = named.or(stored.map(|_| node.name.as_str())) else { continue };
            let joint = node.parent.and_then(|parent| joints.get(&parent).copied());
            let at = to_usize((*index).into());
            let is_below = || *index == object || below.get(at).copied().flatten().is_some();
            let world = || worlds.get(at).copied().unwrap_or(Affine::IDENTITY);
            let place = match joint {
                Some(_) => node.local.to_affine(),
                None if stored.is_some() || (skin.is_none() && is_below()) => world(),
                // Every mesh of the game has one.
                None if name == ROOT => continue,
                None => {
                    model.report.dropped_attachments = model.report.dropped_attachments.saturating_add(1);
                    continue;
                }
            };
            // Names of a file of the game need not be clean.
            let name = if named.is_none() || is_ours { name.to_owned() } else { clean(name) };
            let is_joint = joints.contains_key(index);
            found.push((joint, *index, Attachment { name, joint, is_joint, place: Place::of(&place), stored }));
        }
        if is_ours {
            found.sort_by_key(|(_, node, _)| *node);
        } else {
            // In the order of the joints; those of one joint stay in the order of the file.
            found.sort_by_key(|(joint, ..)| *joint);
        }
        model.attachments = found.into_iter().map(|(.., attachment)| attachment).collect();
    }
}

impl Attributes {
    fn of(primitive: &Fields<'_>, is_skinned: bool) -> Result<Self, GltfError> {
        let Some(fields) = primitive.object("attributes")? else { return Ok(Self::default()) };
        let sets = |name: &str| {
            let mut found = Vec::new();
            while let Some(accessor) = fields.index(&format!("{name}_{}", found.len()))? {
                found.push(accessor);
            }
            Ok::<_, GltfError>(found)
        };
        Ok(Self {
            position: fields.index("POSITION")?,
            normal: fields.index("NORMAL")?,
            color: fields.index("COLOR_0")?,
            uvs: sets("TEXCOORD")?,
            joints: if is_skinned { sets("JOINTS")? } else { Vec::new() },
            weights: if is_skinned { sets("WEIGHTS")? } else { Vec::new() },
        })
    }
}

/// The number, or 0 and counted.
const fn kept_or_zero(value: f32, is_kept: bool, zeroed: &mut usize) -> f32 {
    if is_kept {
        return value;
    }
    *zeroed = zeroed.saturating_add(1);
    0.0
}

/// Puts the vertices where the mesh is in the scene.
fn put(model: &mut Model, place: &Affine) {
    if *place != Affine::IDENTITY {
        for position in &mut model.positions {
            *position = narrowed(place.position(position.map(f64::from)));
        }
    }
    for normal in &mut model.normals {
        let found = place.direction(normal.map(f64::from));
        let length = dot(found, found).sqrt();
        let is_unit = *place == Affine::IDENTITY && (length - 1.0).abs() < 1e-6;
        if !is_unit && length > 0.0 && length.is_finite() {
            *normal = narrowed(found.map(|value| value / length));
        }
    }
}
