//! Builds GLB files from JSON and arrays.

use serde_json::{Value, json};
use test_support::build_glb::glb;

/// A file under construction.
pub(crate) struct Glb {
    pub(crate) json: Value,
    pub(crate) binary: Vec<u8>,
}

impl Glb {
    /// Without nodes.
    pub(crate) fn new() -> Self {
        let json = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [], "skins": [],
            "accessors": [], "bufferViews": [], "buffers": [{"byteLength": 0}], "animations": [], "materials": []
        });
        Self { json, binary: Vec::new() }
    }

    /// Adds an element to a list. Returns its number.
    pub(crate) fn add(&mut self, list: &str, element: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(element);
        list.len() - 1
    }

    /// Adds a node to the scene.
    pub(crate) fn root(&mut self, element: Value) -> usize {
        let node = self.add("nodes", element);
        self.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(node.into());
        node
    }

    /// Adds bytes. Returns their view.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len()});
        self.binary.extend(bytes);
        self.add("bufferViews", view)
    }

    /// Adds floats. Returns their accessor.
    pub(crate) fn floats<const N: usize>(&mut self, values: &[[f32; N]]) -> usize {
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
    pub(crate) fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let count = values.len();
        self.add("accessors", json!({"bufferView": view, "componentType": 5123, "count": count, "type": "SCALAR"}))
    }

    /// A triangle at these corners, as a mesh.
    pub(crate) fn triangle(&mut self, corners: [[f32; 3]; 3]) -> usize {
        let position = self.floats(&corners);
        self.add("meshes", json!({"primitives": [{"attributes": {"POSITION": position}}]}))
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"][0]["byteLength"] = self.binary.len().into();
        glb(json.to_string().as_bytes(), &self.binary)
    }
}
