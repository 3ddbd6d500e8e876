//! The tree of nodes.

use skelmap::model::Transform;
use skelmap::shared::{to_u32, to_usize};

use super::error::{GltfError, GltfErrorKind};
use super::json::{Fields, Root};
use crate::affine::{Affine, unit_of};

/// The nodes of a file.
#[derive(Debug)]
pub(crate) struct Nodes {
    pub(crate) nodes: Vec<Node>,
    /// The nodes of the scene, each after its parent, in depth-first order.
    pub(crate) order: Vec<u32>,
}

/// A node.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) parent: Option<u32>,
    pub(crate) children: Vec<u32>,
    pub(crate) local: Local,
    pub(super) mesh: Option<u32>,
    pub(super) skin: Option<u32>,
    pub(crate) extras: NodeExtras,
}

/// What is read of the `extras` of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeExtras {
    /// The transform of an attachment in its file, as this project writes it.
    pub(crate) attachment: Option<Transform>,
    /// Whether the node is the one to export, as artists of 0 A.D. mark it.
    pub(super) is_export: bool,
}

/// The transform of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Local {
    Parts { translation: [f32; 3], rotation: [f32; 4], scale: [f32; 3] },
    Matrix(Affine),
}

impl Local {
    pub(crate) fn to_affine(self) -> Affine {
        match self {
            Self::Matrix(matrix) => matrix,
            Self::Parts { translation, rotation, scale } => {
                Affine::of_parts(translation.map(f64::from), unit_of(rotation), scale.map(f64::from))
            }
        }
    }
}

impl Nodes {
    pub(super) fn new(root: &Root<'_>) -> Result<Self, GltfError> {
        let mut nodes = Vec::with_capacity(root.nodes.len());
        for index in 0..root.nodes.len() {
            let node = root.element((&root.nodes, "nodes"), to_u32(index), "")?;
            nodes.push(Node::new(&node.fields()?, index)?);
        }
        let mut own = Self { nodes, order: Vec::new() };
        own.connect()?;
        own.sort(root)?;
        Ok(own)
    }

    /// Gives each node its parent.
    fn connect(&mut self) -> Result<(), GltfError> {
        for index in 0..self.nodes.len() {
            let children = self.nodes.get_mut(index).map(|node| std::mem::take(&mut node.children)).unwrap_or_default();
            let count = self.nodes.len();
            for child in &children {
                let Some(node) = self.nodes.get_mut(to_usize((*child).into())) else {
                    let kind = GltfErrorKind::Missing { index: (*child).into(), list: "nodes", count };
                    return Err(kind.at(format_args!("nodes[{index}].children")));
                };
                if node.parent.replace(to_u32(index)).is_some() {
                    return Err(GltfErrorKind::NoTree.at(format_args!("nodes[{child}]")));
                }
            }
            self.nodes.get_mut(index).into_iter().for_each(|node| node.children.clone_from(&children));
        }
        Ok(())
    }

    /// Walks over the scene. Without one, over all nodes without a parent.
    fn sort(&mut self, root: &Root<'_>) -> Result<(), GltfError> {
        let scene = root.scene.or((!root.scenes.is_empty()).then_some(0));
        let roots = match scene {
            Some(scene) => root.element((&root.scenes, "scenes"), scene, "scene")?.fields()?.indices("nodes")?,
            None => (0..to_u32(self.nodes.len())).filter(|node| self.parent(*node).is_none()).collect(),
        };
        let mut seen = vec![false; self.nodes.len()];
        let mut open: Vec<u32> = roots.into_iter().rev().collect();
        while let Some(index) = open.pop() {
            let count = self.nodes.len();
            let Some(seen) = seen.get_mut(to_usize(index.into())) else {
                return Err(GltfErrorKind::Missing { index: index.into(), list: "nodes", count }.at("scenes"));
            };
            // Each node has one parent: only a root, named twice or below another, is met again.
            if std::mem::replace(seen, true) {
                return Err(GltfErrorKind::NoTree.at(format_args!("nodes[{index}]")));
            }
            self.order.push(index);
            open.extend(self.get(index).into_iter().flat_map(|node| node.children.iter().rev()));
        }
        Ok(())
    }

    /// For each node, what a function says of the nearest node above it of which it says anything. O(nodes).
    pub(super) fn nearest_above<T: Copy>(&self, of: impl Fn(u32) -> Option<T>) -> Vec<Option<T>> {
        let mut found = vec![None; self.nodes.len()];
        for index in &self.order {
            let Some(parent) = self.parent(*index) else { continue };
            let own = of(parent).or_else(|| found.get(to_usize(parent.into())).copied().flatten());
            found.get_mut(to_usize((*index).into())).into_iter().for_each(|place| *place = own);
        }
        found
    }

    pub(crate) fn get(&self, index: u32) -> Option<&Node> {
        self.nodes.get(to_usize(index.into()))
    }

    pub(crate) fn parent(&self, index: u32) -> Option<u32> {
        self.get(index)?.parent
    }

    /// A node's parent, its grandparent and so on.
    pub(crate) fn ancestors(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        // A node outside of the scene may be below itself.
        std::iter::successors(self.parent(index), |node| self.parent(*node)).take(self.nodes.len())
    }
}

impl Node {
    fn new(node: &Fields<'_>, index: usize) -> Result<Self, GltfError> {
        let local = match node.floats("matrix")? {
            Some(matrix) => Local::Matrix(Affine::of_matrix(&matrix)),
            None => Local::Parts {
                translation: node.floats("translation")?.unwrap_or_default(),
                rotation: node.floats("rotation")?.unwrap_or([0.0, 0.0, 0.0, 1.0]),
                scale: node.floats("scale")?.unwrap_or([1.0; 3]),
            },
        };
        if !local.to_affine().is_finite() {
            return Err(GltfErrorKind::Invalid("has a transform that is not finite").at(format_args!("nodes[{index}]")));
        }
        // Extras of other programs may be anything.
        let extras = node.object("extras").ok().flatten().map(|extras| NodeExtras::of(&extras)).unwrap_or_default();
        Ok(Self {
            name: node.text("name").unwrap_or_default().to_owned(),
            parent: None,
            children: node.indices("children")?,
            local,
            mesh: node.index("mesh")?,
            skin: node.index("skin")?,
            extras,
        })
    }
}

impl NodeExtras {
    fn of(extras: &Fields<'_>) -> Self {
        let attachment = || {
            let translation = extras.floats("translation").ok()??;
            let (rotation, scale) = (extras.floats("rotation").ok()??, extras.floats("scale").ok()??);
            Some(Transform { translation, rotation, scale })
        };
        Self { attachment: attachment(), is_export: extras.has("export") }
    }
}
