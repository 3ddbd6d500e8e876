//! The elements of a mesh that findings are about.

/// An element of a mesh, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Element {
    /// A bone.
    Bone(usize),
    /// A point.
    Point(usize),
    /// A vertex: a wedge in `ActorX` files.
    Vertex(usize),
    /// A triangle.
    Triangle(usize),
}
