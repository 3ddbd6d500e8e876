//! The JSON of a glTF file: the subset of glTF 2.0 that the exporter uses.

use std::num::NonZero;

use serde::Serialize;
use skelmap::model::Transform;

use crate::document::AnimationEvent;

/// A value in an object. A key whose value is absent is left out.
trait Value {
    fn is_absent(&self) -> bool {
        false
    }
}

impl<T> Value for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Value for Vec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl Value for String {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl Value for bool {
    fn is_absent(&self) -> bool {
        !*self
    }
}

impl Value for u8 {}
impl Value for u32 {}
impl Value for u64 {}
impl Value for &str {}
impl Value for serde_json::Map<String, serde_json::Value> {}

/// Objects with their keys.
macro_rules! objects {
    ($($(#[$of_object:meta])* $name:ident { $($(#[$of_key:meta])* $key:ident: $value:ty),+ $(,)? })+) => {$(
        $(#[$of_object])*
        #[derive(Debug, Default, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name {
            $($(#[$of_key])* #[serde(skip_serializing_if = "Value::is_absent")] pub(crate) $key: $value,)+
        }

        impl Value for $name {}
    )+};
}

objects! {
    /// A whole file.
    Root {
        asset: Asset,
        extensions_used: Vec<&'static str>,
        extensions_required: Vec<&'static str>,
        scene: Option<u32>,
        scenes: Vec<Scene>,
        nodes: Vec<Node>,
        meshes: Vec<Mesh>,
        skins: Vec<Skin>,
        materials: Vec<Material>,
        textures: Vec<Texture>,
        images: Vec<Image>,
        animations: Vec<Animation>,
        accessors: Vec<Accessor>,
        buffer_views: Vec<BufferView>,
        buffers: Vec<Buffer>,
    }
    Asset { version: &'static str, generator: &'static str }
    Scene { nodes: Vec<u32> }
    Node {
        name: String,
        children: Vec<u32>,
        mesh: Option<u32>,
        skin: Option<u32>,
        translation: Option<[f32; 3]>,
        rotation: Option<[f32; 4]>,
        scale: Option<[f32; 3]>,
        extensions: Option<NodeExtensions>,
        extras: Option<NodeExtras>,
    }
    NodeExtensions {
        #[serde(rename = "MSFT_lod")]
        levels: Option<Levels>,
    }
    /// Nodes of coarser levels of detail, from finer to coarser.
    Levels { ids: Vec<u32> }
    Mesh { name: String, primitives: Vec<Primitive>, extras: Option<MeshExtras> }
    MeshExtras { target_names: Vec<String>, level_of_detail: Option<u32>, stored: Option<StoredViews> }
    /// The views of the records of a file.
    #[derive(Clone, Copy)]
    StoredViews { vertices: Option<u32>, bones: Option<u32>, states: Option<u32> }
    Primitive {
        attributes: serde_json::Map<String, serde_json::Value>,
        indices: u32,
        material: Option<u32>,
        targets: Vec<Target>,
    }
    Target {
        #[serde(rename = "POSITION")]
        position: u32,
    }
    Skin { inverse_bind_matrices: u32, skeleton: Option<u32>, joints: Vec<u32> }
    Material {
        name: String,
        double_sided: bool,
        alpha_mode: Option<&'static str>,
        pbr_metallic_roughness: Pbr,
    }
    Pbr { base_color_texture: Option<TextureInfo>, metallic_factor: u8 }
    TextureInfo { index: u32 }
    Texture { source: u32 }
    Image { name: String, mime_type: &'static str, buffer_view: u32 }
    Animation {
        name: String,
        samplers: Vec<Sampler>,
        channels: Vec<Channel>,
        extras: Option<AnimationExtras>,
    }
    #[derive(Clone)]
    AnimationExtras {
        file: String,
        sequence: String,
        actions: Vec<String>,
        events: Vec<AnimationEvent>,
        additive: Option<&'static str>,
        stored: Option<StoredViews>,
    }
    #[derive(Clone, Copy)]
    Sampler { input: u32, output: u32 }
    Channel { sampler: u32, target: ChannelTarget }
    ChannelTarget { node: u32, path: &'static str }
    Accessor {
        buffer_view: Option<u32>,
        byte_offset: Option<NonZero<u64>>,
        component_type: u32,
        normalized: bool,
        count: u64,
        #[serde(rename = "type")]
        kind: &'static str,
        min: Vec<f32>,
        max: Vec<f32>,
        sparse: Option<Sparse>,
    }
    Sparse { count: u64, indices: SparsePart, values: SparsePart }
    SparsePart { buffer_view: u32, component_type: Option<u32> }
    BufferView {
        buffer: u32,
        byte_offset: Option<NonZero<u64>>,
        byte_length: u64,
        byte_stride: Option<u32>,
        target: Option<u32>,
    }
    Buffer { byte_length: u64, uri: Option<String> }
}

/// What a file says of a node.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum NodeExtras {
    /// The transform of an attachment in the space of its file.
    Attachment(Transform),
    /// The number of a bone that is the joint of no skin.
    Bone { bone: usize },
}

impl Root {
    /// Adds a node without a parent. A file without nodes has no scene.
    pub(crate) fn show(&mut self, node: u32) {
        if self.scenes.is_empty() {
            self.scenes.push(Scene { nodes: Vec::new() });
            self.scene = Some(0);
        }
        self.scenes.iter_mut().for_each(|scene| scene.nodes.push(node));
    }
}

pub(crate) const FLOAT: u32 = 5126;
pub(crate) const BYTE: u32 = 5120;
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
