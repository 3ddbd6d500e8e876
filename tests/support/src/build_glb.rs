//! Builds binary glTF.

use serde_json::{Value, json};

/// A GLB of a JSON chunk and a binary chunk, which are padded.
///
/// # Panics
/// If the file has 4 GiB or more.
pub fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let padded = |bytes: &[u8], with: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), with);
        bytes
    };
    let (json, binary) = (padded(json, b' '), padded(binary, 0));
    let mut file = b"glTF".to_vec();
    for number in [2, 28 + json.len() + binary.len(), json.len()] {
        file.extend(u32::try_from(number).expect("less than 4 GiB").to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(json);
    file.extend(u32::try_from(binary.len()).expect("less than 4 GiB").to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(binary);
    file
}

/// Where the three corners of [`Glb::corners`] are.
const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// A file of JSON and arrays under construction.
#[derive(Clone, Debug)]
pub struct Glb {
    pub json: Value,
    pub binary: Vec<u8>,
}

impl Default for Glb {
    fn default() -> Self {
        Self::new()
    }
}

impl Glb {
    /// Without nodes.
    pub fn new() -> Self {
        let json = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [], "skins": [],
            "accessors": [], "bufferViews": [], "buffers": [{"byteLength": 0}], "animations": [], "materials": []
        });
        Self { json, binary: Vec::new() }
    }

    /// A triangle without a skin; a material for each name, and a primitive for each of them.
    pub fn still(materials: &[&str]) -> Self {
        let mut glb = Self::new();
        let attributes = glb.corners();
        glb.body(&attributes, materials);
        glb
    }

    /// A triangle with a skin. Each joint hangs below the one before it, at `step` from it; each corner has these influences: joint and weight.
    pub fn chain(joints: &[String], step: [f32; 3], influences: &[(u16, f32)]) -> Self {
        let mut glb = Self::new();
        let mut attributes = glb.corners();
        for (set, rows) in influences.chunks(4).enumerate() {
            let (mut own, mut weights) = ([0; 4], [0.0; 4]);
            for (slot, (joint, weight)) in rows.iter().enumerate() {
                (own[slot], weights[slot]) = (*joint, *weight);
            }
            let bytes: Vec<u8> = [own; 3].iter().flatten().flat_map(|joint| joint.to_le_bytes()).collect();
            let view = glb.view(&bytes);
            let own = json!({"bufferView": view, "componentType": 5123, "count": 3, "type": "VEC4"});
            attributes[format!("JOINTS_{set}")] = glb.add("accessors", own).into();
            attributes[format!("WEIGHTS_{set}")] = glb.floats(&[weights; 3]).into();
        }
        let mut inverse = Vec::new();
        for (number, name) in joints.iter().enumerate() {
            let translation = if number == 0 { [0.0; 3] } else { step };
            let joint = json!({"name": name, "translation": translation});
            if number == 0 {
                glb.root(joint);
            } else {
                let joint = glb.add("nodes", joint);
                glb.json["nodes"][joint - 1]["children"] = json!([joint]);
            }
            let [x, y, z] = step.map(|part| -part * number as f32);
            inverse.push([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]);
        }
        let inverse = glb.floats(&inverse);
        let numbers: Vec<_> = (0..joints.len()).collect();
        let skin = glb.add("skins", json!({"joints": numbers, "inverseBindMatrices": inverse}));
        let node = glb.body(&attributes, &["skin"]);
        glb.json["nodes"][node]["skin"] = skin.into();
        glb
    }

    /// Attributes of a triangle: positions, normals and texture coordinates.
    pub fn corners(&mut self) -> Value {
        let (position, normal) = (self.floats(&CORNERS), self.floats(&[[0.0_f32, 0.0, 1.0]; 3]));
        let uvs = self.floats(&CORNERS.map(|[u, v, _]| [u, v]));
        json!({"POSITION": position, "NORMAL": normal, "TEXCOORD_0": uvs})
    }

    /// A mesh with a primitive for each material, on a node of the scene. Returns the node.
    fn body(&mut self, attributes: &Value, materials: &[&str]) -> usize {
        let mut primitives = Vec::new();
        for name in materials {
            let material = self.add("materials", json!({"name": name}));
            primitives.push(json!({"attributes": attributes, "material": material}));
        }
        let mesh = self.add("meshes", json!({"primitives": primitives}));
        self.root(json!({"name": "body", "mesh": mesh}))
    }

    /// Adds animations of these names: in a second, the first node goes a metre along x.
    pub fn clips(&mut self, names: impl IntoIterator<Item = String>) {
        let (times, places) = (self.floats(&[[0.0_f32], [1.0]]), self.floats(&[[0.0_f32; 3], [1.0, 0.0, 0.0]]));
        for name in names {
            let channel = json!({"sampler": 0, "target": {"node": 0, "path": "translation"}});
            let sampler = json!({"input": times, "output": places});
            self.add("animations", json!({"name": name, "channels": [channel], "samplers": [sampler]}));
        }
    }

    /// Adds an element to a list. Returns its number.
    ///
    /// # Panics
    /// If there is no such list.
    pub fn add(&mut self, list: &str, element: Value) -> usize {
        let list = self.json[list].as_array_mut().expect("a list");
        list.push(element);
        list.len() - 1
    }

    /// Adds a node to the scene.
    ///
    /// # Panics
    /// If there is no scene.
    pub fn root(&mut self, element: Value) -> usize {
        let node = self.add("nodes", element);
        self.json["scenes"][0]["nodes"].as_array_mut().expect("a scene").push(node.into());
        node
    }

    /// Adds bytes. Returns their view.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len()});
        self.binary.extend(bytes);
        self.add("bufferViews", view)
    }

    /// Adds floats. Returns their accessor.
    pub fn floats<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let kind = match N {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        self.add("accessors", json!({"bufferView": view, "componentType": 5126, "count": values.len(), "type": kind}))
    }

    /// Adds indices of 16 bits. Returns their accessor.
    pub fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let count = values.len();
        self.add("accessors", json!({"bufferView": view, "componentType": 5123, "count": count, "type": "SCALAR"}))
    }

    /// A triangle at these corners, as a mesh.
    pub fn triangle(&mut self, corners: [[f32; 3]; 3]) -> usize {
        let position = self.floats(&corners);
        self.add("meshes", json!({"primitives": [{"attributes": {"POSITION": position}}]}))
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"][0]["byteLength"] = self.binary.len().into();
        glb(json.to_string().as_bytes(), &self.binary)
    }
}
