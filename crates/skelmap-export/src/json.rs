//! The JSON of a glTF file: the subset of glTF 2.0 that the exporter uses.

use serde::Serialize;
use skelmap::model::Transform;

use crate::document::AnimationEvent;

/// A whole file.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Root {
    pub(crate) asset: Asset,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scene: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) scenes: Vec<Scene>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) buffers: Vec<Buffer>,
}

impl Root {
    /// Adds a node without a parent. A file without nodes has no scene.
    pub(crate) fn show(&mut self, node: u32) {
        if self.scenes.is_empty() {
            self.scenes.push(Scene { nodes: Vec::new() });
            self.scene = Some(0);
        }
        if let Some(scene) = self.scenes.first_mut() {
            scene.nodes.push(node);
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Asset {
    pub(crate) version: &'static str,
    pub(crate) generator: &'static str,
}

impl Default for Asset {
    fn default() -> Self {
        Self { version: "2.0", generator: concat!("skelmap ", env!("CARGO_PKG_VERSION")) }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Scene {
    pub(crate) nodes: Vec<u32>,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Node {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mesh: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skin: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<[f32; 3]>,
    /// The transform of an attachment in the space of its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<Transform>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Mesh {
    pub(crate) primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<MeshExtras>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MeshExtras {
    pub(crate) target_names: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Primitive {
    pub(crate) attributes: serde_json::Map<String, serde_json::Value>,
    pub(crate) indices: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) material: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) targets: Vec<Target>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Target {
    #[serde(rename = "POSITION")]
    pub(crate) position: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skin {
    pub(crate) inverse_bind_matrices: u32,
    pub(crate) skeleton: u32,
    pub(crate) joints: Vec<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Material {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) double_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alpha_mode: Option<&'static str>,
    pub(crate) pbr_metallic_roughness: Pbr,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pbr {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base_color_texture: Option<TextureInfo>,
    pub(crate) metallic_factor: u8,
}

#[derive(Debug, Serialize)]
pub(crate) struct TextureInfo {
    pub(crate) index: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct Texture {
    pub(crate) source: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Image {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    pub(crate) mime_type: &'static str,
    pub(crate) buffer_view: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct Animation {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    pub(crate) samplers: Vec<Sampler>,
    pub(crate) channels: Vec<Channel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<AnimationExtras>,
}

#[derive(Debug, Serialize)]
pub(crate) struct AnimationExtras {
    pub(crate) events: Vec<AnimationEvent>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Sampler {
    pub(crate) input: u32,
    pub(crate) output: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct Channel {
    pub(crate) sampler: u32,
    pub(crate) target: ChannelTarget,
}

#[derive(Debug, Serialize)]
pub(crate) struct ChannelTarget {
    pub(crate) node: u32,
    pub(crate) path: &'static str,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) buffer_view: Option<u32>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) byte_offset: u64,
    pub(crate) component_type: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) normalized: bool,
    pub(crate) count: u64,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) min: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) max: Vec<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sparse: Option<Sparse>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Sparse {
    pub(crate) count: u64,
    pub(crate) indices: SparsePart,
    pub(crate) values: SparsePart,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparsePart {
    pub(crate) buffer_view: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) component_type: Option<u32>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub(crate) buffer: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) byte_offset: u64,
    pub(crate) byte_length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) byte_stride: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer {
    pub(crate) byte_length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
}

pub(crate) const FLOAT: u32 = 5126;
pub(crate) const SHORT: u32 = 5122;
pub(crate) const UNSIGNED_BYTE: u32 = 5121;
pub(crate) const UNSIGNED_SHORT: u32 = 5123;
pub(crate) const UNSIGNED_INT: u32 = 5125;
pub(crate) const VERTEX_TARGET: u32 = 34962;
pub(crate) const INDEX_TARGET: u32 = 34963;

impl Accessor {
    pub(crate) fn new(view: u32, component_type: u32, count: u64, kind: &'static str) -> Self {
        Self { buffer_view: Some(view), component_type, count, kind, ..Self::default() }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde requires")]
const fn is_zero(value: &u64) -> bool {
    *value == 0
}
