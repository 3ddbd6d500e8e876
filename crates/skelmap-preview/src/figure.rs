//! The content of a picture: the triangles of a mesh, or the bones of a clip.

use std::sync::Arc;

use skelmap::Error;
use skelmap::model::{Binding, Clip, Matrix, Mesh, PosedPoints, Skin, Space, VertexOptions, Vertices, Wrap};
use skelmap::shared::to_u32;
use skelmap_export::shape::Rig;

use crate::texture::Texture;

/// A model in one pose, ready for drawing, in the axes of glTF (y up).
#[derive(Clone, Debug, Default)]
pub struct Figure {
    pub(crate) positions: Vec<[f32; 3]>,
    /// One for each position of a triangle.
    pub(crate) normals: Vec<[f32; 3]>,
    /// One for each position of a triangle, or nothing.
    pub(crate) uvs: Vec<[f32; 2]>,
    /// By the number of a material.
    pub(crate) textures: Vec<Option<Arc<Texture>>>,
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) lines: Vec<Line>,
}

/// Three positions, and a material.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    pub(crate) corners: [u32; 3],
    pub(crate) material: u32,
}

/// Two positions, and the colour of the line between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) ends: [[f32; 3]; 2],
    pub(crate) ink: Ink,
}

/// The colours of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Bone,
    /// An axis: x, y and z.
    Axis(u32),
}

impl Figure {
    /// A mesh at rest. A mesh without triangles is drawn as bones. O(points + triangles + bones).
    ///
    /// # Errors
    /// A Pyrogenesis mesh of version 1 or 2 with a vertex whose bone does not exist.
    pub fn of_mesh(mesh: &Mesh<'_>) -> Result<Self, Error> {
        let mesh = mesh.in_space(Space::GLTF);
        let figure = Self::of_points(&mesh, &PosedPoints::at_rest(&mesh)?)?;
        if !figure.triangles.is_empty() || mesh.bone_count() == 0 {
            return Ok(figure);
        }
        let skin = Skin::new(&mesh, 1)?;
        let mut places = vec![skelmap::model::IDENTITY; skin.bone_count()];
        skin.model_matrices(skin.bind_pose(), &mut places)?;
        let parents: Vec<Option<usize>> = mesh.skeleton().bones().map(|bone| bone.parent).collect();
        Ok(Self::of_bones(&places, |bone| parents.get(bone).copied().flatten()))
    }

    /// A mesh in a pose: the matrices of [`Skin::matrices`], from a skin of this mesh. O(points * influences + triangles).
    ///
    /// ```
    /// use skelmap::{Asset, model::{Binding, IDENTITY, Skin, Space, Wrap}};
    /// use skelmap_preview::{Camera, Figure, Renderer};
    ///
    /// let (mesh, animation) = (std::fs::read("../../corpus/fox.psk")?, std::fs::read("../../corpus/fox.psa")?);
    /// let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
    /// let mesh = mesh.mesh().ok_or("no mesh")?.in_space(Space::GLTF);
    /// let clip = animation.clips().next().ok_or("no clip")?;
    /// let (skin, binding) = (Skin::new(&mesh, 4)?, Binding::new(&mesh, &clip));
    /// let (mut pose, mut matrices) = (skin.bind_pose().to_vec(), vec![IDENTITY; skin.matrix_count()]);
    /// binding.sample(&clip, 0.25, Wrap::Loop, &mut pose)?;
    /// skin.matrices(&pose, &mut matrices)?;
    /// let figure = Figure::posed(&mesh, &skin, &matrices)?;
    /// let picture = Renderer::new(128, 128).draw(&figure, &Camera::around(&figure));
    /// assert!(picture.rgba().chunks(4).any(|pixel| pixel[3] == 255), "the fox is visible");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BufferSize`](skelmap::ErrorKind::BufferSize) if skin and matrices are not of this mesh.
    pub fn posed(mesh: &Mesh<'_>, skin: &Skin, matrices: &[Matrix]) -> Result<Self, Error> {
        let mut figure = Self::of_points(mesh, &PosedPoints::in_pose(mesh, skin, matrices)?)?;
        let change = mesh.space().change_to(&Space::GLTF);
        figure.positions.iter_mut().for_each(|position| *position = change.position(*position));
        figure.normals.iter_mut().for_each(|normal| *normal = change.direction(*normal));
        Ok(figure)
    }

    /// The bones of a clip in a frame: a line from each parent to its child, or a cross at each bone if the format has no
    /// parents. If positions are not known (SWAT 3), the axes of the bones are drawn in rows. O(bones).
    ///
    /// # Errors
    /// A frame that does not exist.
    pub fn of_clip(clip: &Clip<'_>, frame: f64) -> Result<Self, Error> {
        let clip = clip.in_space(Space::GLTF);
        let binding = Binding::of_clip(&clip);
        let mut pose = binding.to_rest();
        binding.sample_frame(&clip, frame, Wrap::Clamp, &mut pose)?;
        let Ok(rig) = Rig::of_pose(&clip, pose) else { return Ok(Self::default()) };
        let places = rig.to_world(&skelmap::model::IDENTITY);
        if !rig.is_placed {
            return Ok(Self::of_axes(&places));
        }
        Ok(Self::of_bones(&places, |bone| rig.parents.get(bone).copied().flatten()))
    }

    /// The same figure with textures in place of the colours of materials: by the number of a material, `None` for one that keeps its colour.
    #[must_use]
    pub fn with_textures(self, textures: Vec<Option<Arc<Texture>>>) -> Self {
        let textures = if self.uvs.is_empty() { Vec::new() } else { textures };
        Self { textures, ..self }
    }

    /// Number of points.
    pub fn point_count(&self) -> usize {
        self.positions.len().saturating_add(self.lines.len().saturating_mul(2))
    }

    /// Number of drawable triangles.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    pub(crate) fn points(&self) -> impl Iterator<Item = [f32; 3]> {
        self.positions.iter().copied().chain(self.lines.iter().flat_map(|line| line.ends))
    }

    fn of_points(mesh: &Mesh<'_>, points: &PosedPoints) -> Result<Self, Error> {
        let mut asked = VertexOptions::default();
        (asked.influences, asked.uv_sets, asked.colors, asked.weld) = (0, 1, false, false);
        let Vertices { positions, normals, uvs, parts, .. } = Vertices::of_points(mesh, points, &asked)?;
        let mut triangles = Vec::new();
        for part in &parts {
            let first = to_u32(part.vertices.start);
            triangles.extend(part.indices.triangles().map(|corners| {
                let corners = corners.map(|corner| corner.saturating_add(first));
                Triangle { corners, material: part.material }
            }));
        }
        let uvs = uvs.into_iter().next().unwrap_or_default();
        Ok(Self { positions, normals, uvs, triangles, ..Self::default() })
    }

    /// Lines from parents to children; crosses without parents.
    fn of_bones(places: &[Matrix], parent: impl Fn(usize) -> Option<usize>) -> Self {
        let mut lines = Vec::new();
        for (bone, place) in places.iter().enumerate() {
            if let Some(parent) = parent(bone).and_then(|parent| places.get(parent)) {
                lines.push(Line { ends: [origin(parent), origin(place)], ink: Ink::Bone });
            }
        }
        if lines.is_empty() {
            let size = skelmap::model::Bounds::of(places.iter().map(origin))
                .map_or(1.0, |bounds| bounds.size().into_iter().fold(0.0, f32::max));
            let arm = if size > 0.0 { size / 50.0 } else { 1.0 };
            for place in places {
                let [x, y, z] = origin(place);
                let ends = |[a, b, c]: [f32; 3]| [[x - a, y - b, z - c], [x + a, y + b, z + c]];
                let arms = [[arm, 0.0, 0.0], [0.0, arm, 0.0], [0.0, 0.0, arm]];
                lines.extend(arms.map(|arm| Line { ends: ends(arm), ink: Ink::Bone }));
            }
        }
        Self { lines, ..Self::default() }
    }

    /// The axes of each bone, in rows.
    fn of_axes(places: &[Matrix]) -> Self {
        let row = places.len().isqrt().max(1);
        let mut lines = Vec::new();
        for (index, matrix) in places.iter().enumerate() {
            let (column, line) = (index.checked_rem(row).unwrap_or(0), index.checked_div(row).unwrap_or(0));
            let centre = [crate::canvas::to_float(column) * 2.5, crate::canvas::to_float(line) * -2.5, 0.0];
            let [xx, xy, xz, _, yx, yy, yz, _, zx, zy, zz, ..] = *matrix;
            for (ink, [dx, dy, dz]) in (0..).zip([[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]) {
                let [x, y, z] = centre;
                lines.push(Line { ends: [centre, [x + dx, y + dy, z + dz]], ink: Ink::Axis(ink) });
            }
        }
        Self { lines, ..Self::default() }
    }
}

/// The position of a bone.
const fn origin(matrix: &Matrix) -> [f32; 3] {
    let [_, _, _, _, _, _, _, _, _, _, _, _, x, y, z, _] = *matrix;
    [x, y, z]
}
