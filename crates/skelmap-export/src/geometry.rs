//! The vertices and triangles of a mesh, material by material, with computed normals if the file has none.

use std::collections::HashMap;

use crate::report::ExportReport;
use skelmap::model::maths::{NO_TURN, Rotation, cross64, turned};
use skelmap::model::{Bounds, Matrix, Mesh, Skin, UvOrigin};
use skelmap::shared::to_usize;
use skelmap::{Column, Error, Vec2};

/// A range of vertices and triangles that share a material.
#[derive(Debug)]
pub struct MaterialRange {
    /// The material.
    pub material: u32,
    /// The first vertex.
    pub first: usize,
    pub(crate) vertices: usize,
    /// Indices of vertices, counted from `first`.
    pub indices: Vec<u32>,
    pub(crate) bounds: Bounds,
}

impl MaterialRange {
    /// Whether indices have two bytes. The largest index of two bytes is reserved.
    pub(crate) const fn is_short(&self) -> bool {
        self.vertices <= 65_535
    }

    /// The indices in two or four bytes each.
    pub(crate) fn to_index_bytes(&self) -> Vec<u8> {
        let size = if self.is_short() { 2 } else { 4 };
        self.indices.iter().flat_map(|index| index.to_le_bytes().into_iter().take(size)).collect()
    }
}

/// The triangles of a mesh, prepared for writing.
#[derive(Debug, Default)]
pub struct Geometry {
    /// The parts, one for each material; where a mesh has several skins, for each material of each skin.
    pub parts: Vec<MaterialRange>,
    /// For each vertex of the output, the vertex of the mesh.
    pub vertices: Vec<u32>,
    /// For each point of the mesh, its position.
    pub(crate) positions: Vec<[f32; 3]>,
    /// For each vertex of the output, its normal.
    pub normals: Vec<[f32; 3]>,
}

/// A triangle in the winding of glTF.
#[derive(Clone, Copy)]
struct Face {
    vertices: [u32; 3],
    points: [usize; 3],
    material: u32,
    groups: u32,
}

/// Positions and normals of the points of a mesh: at rest, or in a pose.
#[derive(Debug)]
pub struct Shape {
    positions: Vec<[f32; 3]>,
    /// Of any length; empty for a mesh without normals.
    normals: Vec<[f32; 3]>,
}

impl Shape {
    /// The points in a pose, given as the matrices of [`Skin::matrices`].
    ///
    /// # Errors
    /// A skin or matrices of another mesh.
    pub fn posed(mesh: &Mesh<'_>, skin: &Skin, matrices: &[Matrix]) -> Result<Self, Error> {
        let mut positions = vec![[0.0; 3]; mesh.point_count()];
        let mut normals = positions.clone();
        skin.positions(mesh, matrices, &mut positions)?;
        if !skin.normals(mesh, matrices, &mut normals)? {
            normals.clear();
        }
        Ok(Self { positions, normals })
    }

    /// The points at rest.
    ///
    /// # Errors
    /// Those of [`Mesh::to_rest`].
    pub fn at_rest(mesh: &Mesh<'_>) -> Result<Self, Error> {
        Ok(match mesh.to_rest()? {
            Some(rest) => {
                let (positions, normals) = rest.into_iter().unzip();
                Self { positions, normals }
            }
            None => Self {
                positions: (0..mesh.point_count()).filter_map(|point| mesh.position(point)).collect(),
                normals: (0..mesh.point_count()).map_while(|point| mesh.normal(point)).collect(),
            },
        })
    }

    /// The positions.
    #[must_use]
    pub fn into_positions(self) -> Vec<[f32; 3]> {
        self.positions
    }

    /// These points, rotated.
    #[must_use]
    pub fn turned(mut self, turn: Rotation) -> Self {
        if turn != NO_TURN {
            self.positions.iter_mut().chain(&mut self.normals).for_each(|vector| *vector = turned(turn, *vector));
        }
        self
    }
}

impl Geometry {
    /// The drawable triangles of a mesh. O(points + triangles).
    pub fn new(mesh: &Mesh<'_>, shape: Shape, report: &mut ExportReport) -> Self {
        let Shape { positions, normals } = shape;
        let mut faces = Vec::new();
        for index in 0..mesh.triangle_count() {
            match face(mesh, index, &positions) {
                Some(face) => faces.push(face),
                None => report.dropped_triangles = report.dropped_triangles.saturating_add(1),
            }
        }
        // A stable sort keeps the file order within a material.
        faces.sort_by_key(|face| face.material);
        let mut geometry = Self { positions, ..Self::default() };
        // For each vertex of the mesh, its last part, counted from 1, and its index there.
        let mut places = vec![(0_u32, 0_u32); mesh.vertex_count()];
        for faces in faces.chunk_by(|one, other| one.material == other.material) {
            geometry.add_part(mesh, faces, &mut places);
        }
        geometry.normals = geometry.find_normals(mesh, &normals, &faces, report);
        report.unused_vertices = places.iter().filter(|(part, _)| *part == 0).count();
        report.triangles = faces.len();
        geometry
    }

    fn add_part(&mut self, mesh: &Mesh<'_>, faces: &[Face], places: &mut [(u32, u32)]) {
        let Some(material) = faces.first().map(|face| face.material) else { return };
        let first = self.vertices.len();
        let part = small(self.parts.len()).saturating_add(1);
        let mut indices = Vec::with_capacity(faces.len().saturating_mul(3));
        for vertex in faces.iter().flat_map(|face| face.vertices) {
            let Some(place) = places.get_mut(to_usize(vertex.into())) else { continue };
            if place.0 != part {
                *place = (part, small(self.vertices.len().saturating_sub(first)));
                self.vertices.push(vertex);
            }
            indices.push(place.1);
        }
        self.close_part(mesh, material, first, indices);
    }

    /// Makes a part of the vertices from `first` on.
    pub(crate) fn close_part(&mut self, mesh: &Mesh<'_>, material: u32, first: usize, indices: Vec<u32>) {
        let own = self.vertices.get(first..).unwrap_or_default();
        let bounds = Bounds::of(own.iter().filter_map(|vertex| position(mesh, &self.positions, *vertex)));
        let bounds = bounds.unwrap_or(Bounds { min: [0.0; 3], max: [0.0; 3] });
        self.parts.push(MaterialRange { material, first, vertices: own.len(), indices, bounds });
    }

    /// Makes one of the vertices of a part that have the same point, the same normal and the same of all else. `key` is the same for these,
    /// and `is_equal` tells the rest. Triangles that lose a corner have no area and are left out. O(vertices).
    pub(crate) fn weld(
        &mut self,
        key: impl Fn(u32) -> [u32; 4],
        is_equal: impl Fn(u32, u32) -> bool,
        report: &mut ExportReport,
    ) {
        let (mut vertices, mut normals): (Vec<u32>, Vec<[f32; 3]>) = (Vec::new(), Vec::new());
        for part in &mut self.parts {
            let first = vertices.len();
            let mut known: HashMap<([u32; 4], [u32; 3]), (u32, u32)> = HashMap::new();
            let own = self.vertices.iter().zip(&self.normals).skip(part.first).take(part.vertices);
            let number_of = |(vertex, normal): (&u32, &[f32; 3])| {
                let number = small(vertices.len().saturating_sub(first));
                let entry = known.entry((key(*vertex), normal.map(f32::to_bits))).or_insert((number, *vertex));
                if entry.0 != number && is_equal(entry.1, *vertex) {
                    return entry.0;
                }
                vertices.push(*vertex);
                normals.push(*normal);
                number
            };
            let numbers: Vec<u32> = own.map(number_of).collect();
            let new = |old: u32| numbers.get(to_usize(old.into())).copied().unwrap_or_default();
            let before = part.indices.len();
            let corners = part.indices.chunks_exact(3).filter_map(|corners| match *corners {
                [a, b, c] => Some([a, b, c].map(new)),
                _ => None,
            });
            part.indices = corners.filter(|[a, b, c]| a != b && b != c && c != a).flatten().collect();
            let lost = before.saturating_sub(part.indices.len()) / 3;
            report.triangles = report.triangles.saturating_sub(lost);
            report.dropped_triangles = report.dropped_triangles.saturating_add(lost);
            if part.indices.is_empty() {
                // The part goes, and so do its vertices.
                vertices.truncate(first);
                normals.truncate(first);
            }
            (part.first, part.vertices) = (first, vertices.len().saturating_sub(first));
        }
        (self.vertices, self.normals) = (vertices, normals);
        self.parts.retain(|part| !part.indices.is_empty());
    }

    /// The position of a vertex of the output.
    pub fn position(&self, mesh: &Mesh<'_>, vertex: u32) -> [f32; 3] {
        position(mesh, &self.positions, vertex).unwrap_or_default()
    }

    /// The first texture coordinates of each vertex of the output, from the top left of the image; nothing for a mesh without them.
    pub fn to_uvs(&self, mesh: &Mesh<'_>) -> Vec<[f32; 2]> {
        let column = mesh.uvs(0);
        let own = |column| self.vertices.iter().map(|vertex| uv(mesh, &column, to_usize((*vertex).into()))).collect();
        column.map(own).unwrap_or_default()
    }

    /// Normals of the file if they have a direction, else those of the faces.
    fn find_normals(
        &self,
        mesh: &Mesh<'_>,
        stored: &[[f32; 3]],
        faces: &[Face],
        report: &mut ExportReport,
    ) -> Vec<[f32; 3]> {
        let point_of = |vertex: u32| mesh.point_of(to_usize(vertex.into()));
        let own = |vertex: &u32| stored.get(point_of(*vertex)?).copied().and_then(unit);
        let found: Vec<Option<[f32; 3]>> = self.vertices.iter().map(own).collect();
        if found.iter().all(Option::is_some) {
            return found.into_iter().flatten().collect();
        }
        report.computed_normals = found.iter().filter(|normal| normal.is_none()).count();
        let smooth = Smooth::new(&self.positions, mesh.vertex_count(), faces);
        let computed = |(vertex, found): (&u32, Option<[f32; 3]>)| {
            found.or_else(|| smooth.normal(*vertex, point_of(*vertex)?)).unwrap_or([0.0, 0.0, 1.0])
        };
        self.vertices.iter().zip(found).map(computed).collect()
    }
}

fn position(mesh: &Mesh<'_>, positions: &[[f32; 3]], vertex: u32) -> Option<[f32; 3]> {
    positions.get(mesh.point_of(to_usize(vertex.into()))?).copied()
}

/// Texture coordinates of a vertex, from the top of the image.
pub(crate) fn uv(mesh: &Mesh<'_>, column: &Column<'_, Vec2>, vertex: usize) -> [f32; 2] {
    let [u, v] = column.get(vertex).map(Vec2::get).unwrap_or_default();
    let [u, v] = [u, if mesh.uv_origin() == UvOrigin::Bottom { 1.0 - v } else { v }];
    [u, v].map(|value| if value.is_finite() { value } else { 0.0 })
}

/// A drawable triangle: three different vertices whose points are finite.
fn face(mesh: &Mesh<'_>, index: usize, positions: &[[f32; 3]]) -> Option<Face> {
    let triangle = mesh.triangle(index)?;
    let [a, b, c] = triangle.vertices;
    if a == b || b == c || c == a {
        return None;
    }
    let vertices = if mesh.has_outward_faces() { [a, b, c] } else { [c, b, a] };
    let mut points = [0; 3];
    for (point, vertex) in points.iter_mut().zip(vertices) {
        *point = mesh.point_of(to_usize(vertex.into()))?;
        positions.get(*point).filter(|position| position.iter().all(|value| value.is_finite()))?;
    }
    let groups = triangle.smoothing_groups.unwrap_or(1);
    Some(Face { vertices, points, material: triangle.material, groups })
}

/// A vector of length 1; `None` without a direction.
fn unit(vector: [f32; 3]) -> Option<[f32; 3]> {
    let length = vector.iter().map(|value| f64::from(*value) * f64::from(*value)).sum::<f64>().sqrt();
    let is_long = length.is_finite() && length > 1e-12;
    #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "normals are `f32`")]
    is_long.then(|| vector.map(|value| (f64::from(value) / length) as f32))
}

/// The maximum number of distinct smoothing groups of a point. Real points have a few; a hostile file can have many more.
const MAX_GROUPS: usize = 64;

/// Normals from faces: their area-weighted sum at a point, over the faces of common smoothing groups.
struct Smooth {
    /// For each point, the sums of its faces by their groups.
    sums: Vec<Vec<(u32, [f64; 3])>>,
    /// For each vertex, the result of its own faces.
    own: Vec<Own>,
}

/// The faces of one vertex.
#[derive(Clone, Default)]
struct Own {
    groups: u32,
    sum: [f64; 3],
    /// The normal of the first face with an area.
    first: Option<[f32; 3]>,
}

impl Smooth {
    fn new(positions: &[[f32; 3]], vertices: usize, faces: &[Face]) -> Self {
        let varies = faces.iter().any(|face| faces.first().is_some_and(|first| first.groups != face.groups));
        let mut sums: Vec<Vec<(u32, [f64; 3])>> = vec![Vec::new(); positions.len()];
        let mut own = vec![Own::default(); vertices];
        for face in faces {
            let groups = if varies { face.groups } else { 1 };
            let [Some(a), Some(b), Some(c)] = face.points.map(|point| positions.get(point).copied()) else { continue };
            let normal = cross(a, b, c);
            #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "normals are `f32`")]
            let narrow = normal.map(|value| value as f32);
            for (point, vertex) in face.points.into_iter().zip(face.vertices) {
                let (Some(sums), Some(own)) = (sums.get_mut(point), own.get_mut(to_usize(vertex.into()))) else {
                    continue;
                };
                let is_full = sums.len() >= MAX_GROUPS;
                match sums.iter_mut().find(|(known, _)| *known == groups || is_full) {
                    Some((known, sum)) => {
                        *known |= groups;
                        add(sum, normal);
                    }
                    None => sums.push((groups, normal)),
                }
                own.groups |= groups;
                add(&mut own.sum, normal);
                own.first = own.first.or_else(|| unit(narrow));
            }
        }
        Self { sums, own }
    }

    fn normal(&self, vertex: u32, point: usize) -> Option<[f32; 3]> {
        let own = self.own.get(to_usize(vertex.into()))?;
        let mut sum = [0.0; 3];
        for (groups, part) in self.sums.get(point)? {
            // Faces without a group are only smooth with themselves.
            if groups & own.groups != 0 {
                add(&mut sum, *part);
            }
        }
        #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "normals are `f32`")]
        let narrow = |sum: [f64; 3]| {
            let largest = sum.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            unit(sum.map(|value| if largest > 0.0 { value / largest } else { value } as f32))
        };
        narrow(sum).or_else(|| narrow(own.sum)).or(own.first)
    }
}

fn add(sum: &mut [f64; 3], part: [f64; 3]) {
    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
}

/// The normal of a triangle, with twice its area as length.
fn cross(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> [f64; 3] {
    let wide = |point: [f32; 3]| point.map(f64::from);
    let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (wide(a), wide(b), wide(c));
    cross64([bx - ax, by - ay, bz - az], [cx - ax, cy - ay, cz - az])
}

/// A count in a file, which has at most `i32::MAX` records.
pub(crate) fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
