//! The loader: files to meshes, joints and clips.

use bevy_animation::graph::AnimationGraph;
use bevy_asset::io::{AssetReaderError, Reader};
use bevy_asset::{AssetLoader, AssetPath, LoadContext, ReadAssetBytesError, RenderAssetUsages};
use bevy_math::Mat4;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};
use bevy_reflect::TypePath;
use serde::{Deserialize, Serialize};
use skelmap::Asset;
use skelmap::actorx::Config;
use skelmap::model::{self, Binding, MaterialRange, Palette, Space, VertexOptions, Vertices};

use crate::clip::clip_of;
use crate::scene::{Joint, Part, Skeletal};

/// The joints that a skinned mesh of Bevy can have.
const MAX_JOINTS: u16 = 256;

/// What the files do not say.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct SkeletalSettings {
    /// The animation, beside the mesh. A `.config` beside the animation is applied.
    pub animation: Option<String>,
    /// The length of a unit in metres, where the mesh does not state it.
    pub metres: f32,
}

impl Default for SkeletalSettings {
    fn default() -> Self {
        Self { animation: None, metres: 0.01 }
    }
}

/// Loads [`Skeletal`]s.
#[derive(Debug, Default, TypePath)]
pub struct SkeletalLoader;

/// Why a file cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The bytes of the mesh cannot be read.
    Io(std::io::Error),
    /// Another file cannot be read.
    Asset(ReadAssetBytesError),
    /// The content is damaged, or is not what it should be.
    Format(skelmap::Error),
    /// The mesh file has no mesh.
    NoMesh,
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Asset(error) => error.fmt(f),
            Self::Format(error) => error.fmt(f),
            Self::NoMesh => f.write_str("the file has no mesh"),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<std::io::Error> for LoadError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ReadAssetBytesError> for LoadError {
    fn from(error: ReadAssetBytesError) -> Self {
        Self::Asset(error)
    }
}

impl From<skelmap::Error> for LoadError {
    fn from(error: skelmap::Error) -> Self {
        Self::Format(error)
    }
}

impl AssetLoader for SkeletalLoader {
    type Asset = Skeletal;
    type Settings = SkeletalSettings;
    type Error = LoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &SkeletalSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<Skeletal, LoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let mut animation = None;
        if let Some(name) = &settings.animation {
            let path = context.path().resolve_embed_str(name).unwrap_or_else(|_| name.clone().into());
            let side_car = side_car_of(&path, context).await?;
            animation = Some((context.read_asset_bytes(path).await?, side_car));
        }
        let asset = Asset::parse(&bytes)?;
        let mesh = asset.mesh().ok_or(LoadError::NoMesh)?.with_metres(settings.metres).in_space(Space::GLTF);
        let mut skeletal = mesh_of(&mesh, context)?;
        if let Some((bytes, side_car)) = &animation {
            add_clips(&mut skeletal, &mesh, &Asset::parse(bytes)?, side_car, context);
        }
        Ok(skeletal)
    }

    fn extensions(&self) -> &[&str] {
        &["psk", "pskx", "pmd"]
    }
}

/// The side-car beside an animation. Without one, all comes from the animation.
async fn side_car_of(animation: &AssetPath<'_>, context: &mut LoadContext<'_>) -> Result<Vec<u8>, LoadError> {
    for extension in ["config", "CONFIG", "Config"] {
        let path = AssetPath::from_path_buf(animation.path().with_extension(extension));
        let path = path.with_source(animation.source().clone_owned());
        match context.read_asset_bytes(path).await {
            Err(ReadAssetBytesError::AssetReaderError(AssetReaderError::NotFound(_))) => {}
            read => return Ok(read?),
        }
    }
    Ok(Vec::new())
}

fn mesh_of(mesh: &model::Mesh<'_>, context: &mut LoadContext<'_>) -> Result<Skeletal, LoadError> {
    let mut options = VertexOptions::default();
    options.max_joints = Some(MAX_JOINTS);
    let vertices = mesh.to_vertices(&options)?;
    let mut skeletal = Skeletal { joints: joints_of(mesh), ..Skeletal::default() };
    let poses = vertices.palettes.iter().enumerate().map(|(index, palette)| {
        let poses: Vec<_> = palette.inverse_bind.iter().map(Mat4::from_cols_array).collect();
        context.add_labeled_asset(format!("Palette{index}"), SkinnedMeshInverseBindposes::from(poses))
    });
    let poses: Vec<_> = poses.collect();
    for (index, part) in vertices.parts.iter().enumerate() {
        let palette: Option<&Palette> = vertices.palettes.get(part.palette);
        skeletal.parts.push(Part {
            mesh: context.add_labeled_asset(format!("Mesh{index}"), part_of(&vertices, part)),
            material: mesh.material(part.material as usize).map(|name| name.to_string()).unwrap_or_default(),
            joints: palette
                .map(|palette| palette.joints.iter().map(|bone| usize::from(*bone)).collect())
                .unwrap_or_default(),
            inverse_bindposes: poses.get(part.palette).cloned(),
            points: part
                .vertices
                .clone()
                .map(|vertex| mesh.point_of(vertices.sources[vertex] as usize).unwrap_or_default())
                .collect(),
        });
    }
    Ok(skeletal)
}

/// The bones of a mesh, with the transforms that they have at rest.
fn joints_of(mesh: &model::Mesh<'_>) -> Vec<Joint> {
    let skeleton = mesh.skeleton();
    let joint = |bone| Joint {
        name: skeleton.name(bone).map_or_else(|| format!("bone_{bone}"), |name| name.to_string()),
        parent: None,
        rest: crate::clip::transform_of(&skeleton.rest(bone)),
    };
    let mut joints: Vec<Joint> = (0..mesh.bone_count()).map(joint).collect();
    for (bone, parent) in model::Hierarchy::new(&skeleton).bones() {
        joints[bone].parent = parent;
    }
    joints
}

/// The vertices of a part, as Bevy stores them.
fn part_of(vertices: &Vertices, part: &MaterialRange) -> Mesh {
    let range = part.vertices.clone();
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default());
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, vertices.positions[range.clone()].to_vec());
    mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, vertices.normals[range.clone()].to_vec());
    for (attribute, uvs) in [Mesh::ATTRIBUTE_UV_0, Mesh::ATTRIBUTE_UV_1].into_iter().zip(&vertices.uvs) {
        mesh.insert_attribute(attribute, uvs[range.clone()].to_vec());
    }
    if let (Some(joints), Some(weights)) = (vertices.joints.first(), vertices.weights.first()) {
        let joints = VertexAttributeValues::Uint16x4(joints[range.clone()].to_vec());
        mesh.insert_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, joints);
        mesh.insert_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights[range].to_vec());
    }
    mesh.with_inserted_indices(match &part.indices {
        model::Indices::U16(indices) => Indices::U16(indices.clone()),
        model::Indices::U32(indices) => Indices::U32(indices.clone()),
    })
}

/// Adds the clips that can play on the mesh, and a graph with all of them.
fn add_clips(
    skeletal: &mut Skeletal,
    mesh: &model::Mesh<'_>,
    animation: &Asset<'_>,
    side_car: &[u8],
    context: &mut LoadContext<'_>,
) {
    let mut graph = AnimationGraph::new();
    for (index, clip) in animation.clips().enumerate() {
        let sources = Config::new(side_car).to_sources(&clip);
        let binding = Binding::new(mesh, &clip).with_sources(&sources);
        // Additive clips are differences: Bevy adds them in a node of its own.
        if binding.is_additive(&clip) || binding.found().matched == 0 {
            continue;
        }
        let name = clip.name().map_or_else(|| format!("clip_{index}"), |name| name.to_string());
        let targets: Vec<_> = (0..skeletal.joints.len()).map(|joint| skeletal.target(joint)).collect();
        let handle = context.add_labeled_asset(format!("Clip{index}"), clip_of(&clip, &binding, &targets));
        let node = graph.add_clip(handle.clone(), 1.0, graph.root);
        skeletal.clips.push((name, handle, node));
    }
    skeletal.graph = Some(context.add_labeled_asset("Graph".to_owned(), graph));
}
