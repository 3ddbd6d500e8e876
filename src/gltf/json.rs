//! The JSON of a glTF file: what the exporter uses of glTF 2.0.

use serde::Serialize;

use super::document::Event;

/// A whole file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) asset: Asset,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scene: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) scenes: Vec<Scene>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffers: Vec<Buffer>,
}

impl Root {
    /// A file with nothing in it.
    pub(super) fn new() -> Self {
        Self {
            asset: Asset { version: "2.0", generator: concat!("skelmap ", env!("CARGO_PKG_VERSION")) },
            scene: None,
            scenes: Vec::new(),
            nodes: Vec::new(),
            meshes: Vec::new(),
            skins: Vec::new(),
            materials: Vec::new(),
            textures: Vec::new(),
            images: Vec::new(),
            animations: Vec::new(),
            accessors: Vec::new(),
            buffer_views: Vec::new(),
            buffers: Vec::new(),
        }
    }

    /// Adds a node without a parent. A file without nodes has no scene.
    pub(super) fn show(&mut self, node: u32) {
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
pub(super) struct Asset {
    pub(super) version: &'static str,
    pub(super) generator: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Scene {
    pub(super) nodes: Vec<u32>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skin: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<Stored>,
}

/// Where an attachment stands, in the space of its file.
#[derive(Debug, Serialize)]
pub(super) struct Stored {
    pub(super) translation: [f32; 3],
    pub(super) rotation: [f32; 4],
    pub(super) scale: [f32; 3],
}

#[derive(Debug, Serialize)]
pub(super) struct Mesh {
    pub(super) primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<MeshExtras>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MeshExtras {
    pub(super) target_names: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Primitive {
    pub(super) attributes: serde_json::Map<String, serde_json::Value>,
    pub(super) indices: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) material: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) targets: Vec<Target>,
}

#[derive(Debug, Serialize)]
pub(super) struct Target {
    #[serde(rename = "POSITION")]
    pub(super) position: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: u32,
    pub(super) skeleton: u32,
    pub(super) joints: Vec<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) double_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_mode: Option<&'static str>,
    pub(super) pbr_metallic_roughness: Pbr,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pbr {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_texture: Option<TextureInfo>,
    pub(super) metallic_factor: u8,
}

#[derive(Debug, Serialize)]
pub(super) struct TextureInfo {
    pub(super) index: u32,
}

#[derive(Debug, Serialize)]
pub(super) struct Texture {
    pub(super) source: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    pub(super) mime_type: &'static str,
    pub(super) buffer_view: u32,
}

#[derive(Debug, Serialize)]
pub(super) struct Animation {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    pub(super) samplers: Vec<Sampler>,
    pub(super) channels: Vec<Channel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<AnimationExtras>,
}

#[derive(Debug, Serialize)]
pub(super) struct AnimationExtras {
    pub(super) events: Vec<Event>,
}

#[derive(Debug, Serialize)]
pub(super) struct Sampler {
    pub(super) input: u32,
    pub(super) output: u32,
}

#[derive(Debug, Serialize)]
pub(super) struct Channel {
    pub(super) sampler: u32,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Serialize)]
pub(super) struct ChannelTarget {
    pub(super) node: u32,
    pub(super) path: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) buffer_view: Option<u32>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) normalized: bool,
    pub(super) count: u64,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) min: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) max: Vec<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sparse: Option<Sparse>,
}

#[derive(Debug, Serialize)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparsePart,
    pub(super) values: SparsePart,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparsePart {
    pub(super) buffer_view: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) component_type: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: u32,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) byte_stride: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) byte_length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
}

pub(super) const FLOAT: u32 = 5126;
pub(super) const SHORT: u32 = 5122;
pub(super) const UNSIGNED_BYTE: u32 = 5121;
pub(super) const UNSIGNED_SHORT: u32 = 5123;
pub(super) const UNSIGNED_INT: u32 = 5125;
pub(super) const VERTEX_TARGET: u32 = 34962;
pub(super) const INDEX_TARGET: u32 = 34963;

impl Accessor {
    pub(super) fn new(view: u32, component_type: u32, count: u64, kind: &'static str) -> Self {
        let (normalized, min, max) = (false, Vec::new(), Vec::new());
        Self {
            buffer_view: Some(view),
            byte_offset: 0,
            component_type,
            normalized,
            count,
            kind,
            min,
            max,
            sparse: None,
        }
    }
}

impl BufferView {
    pub(super) const fn new(byte_offset: u64, byte_length: u64) -> Self {
        Self { buffer: 0, byte_offset, byte_length, byte_stride: None, target: None }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
const fn is_zero(value: &u64) -> bool {
    *value == 0
}
