//! The JSON of a file. Elements are read one by one, when they are needed: a hostile list of a million empty nodes costs the memory of its text.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use skelmap::shared::{to_u64, to_usize};

use super::error::{GltfError, GltfErrorKind, short};

/// The lists that are read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root<'a> {
    pub(super) asset: Asset,
    pub(super) scene: Option<u32>,
    #[serde(default)]
    extensions_required: Vec<String>,
    #[serde(borrow, default)]
    pub(super) accessors: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) animations: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) buffers: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) buffer_views: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) materials: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) meshes: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) nodes: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) scenes: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) skins: Vec<&'a RawValue>,
    /// The bytes of elements that may still be read: an element is read as often as others name it.
    #[serde(skip)]
    left: AtomicU64,
}

/// How many bytes of elements are read in all, for each byte of the JSON, and a base. Real files have their elements read once or twice.
const TEXT_OF_BYTE: u64 = 64;
const MIN_TEXT: u64 = 1 << 24;

#[derive(Debug, Deserialize)]
pub(super) struct Asset {
    version: String,
    pub(super) generator: Option<String>,
}

/// Extensions that change nothing that is read, or whose numbers are read.
const KNOWN: [&str; 5] = [
    "KHR_mesh_quantization",
    "KHR_materials_unlit",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_texture_transform",
    "KHR_texture_basisu",
];

impl<'a> Root<'a> {
    pub(super) fn parse(json: &'a [u8]) -> Result<Self, GltfError> {
        let mut root: Self = serde_json::from_slice(json).map_err(|error| GltfErrorKind::from(error).at("JSON"))?;
        root.left = AtomicU64::new(to_u64(json.len()).saturating_mul(TEXT_OF_BYTE).saturating_add(MIN_TEXT));
        if !(root.asset.version == "2" || root.asset.version.starts_with("2.")) {
            return Err(GltfErrorKind::Version(short(&root.asset.version)).at("asset.version"));
        }
        match root.extensions_required.iter().find(|name| !KNOWN.contains(&name.as_str())) {
            Some(name) => Err(GltfErrorKind::Extension(short(name)).at("extensionsRequired")),
            None => Ok(root),
        }
    }

    /// An element of a list. `from`: the element that names it.
    pub(super) fn element(
        &self,
        (list, name): (&[&RawValue], &'static str),
        index: u32,
        from: &str,
    ) -> Result<Element, GltfError> {
        let Some(raw) = list.get(to_usize(index.into())) else {
            return Err(GltfErrorKind::Missing { index: index.into(), list: name, count: list.len() }.at(from));
        };
        self.read(raw, format!("{name}[{index}]"))
    }

    /// An element of its text.
    pub(super) fn read(&self, raw: &RawValue, path: String) -> Result<Element, GltfError> {
        let size = to_u64(raw.get().len());
        let spent = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(size));
        if spent.is_err() {
            let limit = GltfErrorKind::Limit { limit: TEXT_OF_BYTE, what: "bytes of elements for each byte of JSON" };
            return Err(limit.at(path));
        }
        Element::parse(raw, path)
    }
}

/// An element of a list, or of an element.
pub(super) struct Element {
    path: String,
    value: Value,
}

/// The fields of an element.
#[derive(Clone, Copy)]
pub(super) struct Fields<'e> {
    /// The path of the element, and of the field of it that this is.
    path: &'e str,
    inner: Option<&'e str>,
    fields: &'e Map<String, Value>,
}

/// The most bytes of the text of an element: as values, it takes up to eighty times as many. A skin of 32,767 joints has 0.2 MB.
const MAX_ELEMENT: usize = 1 << 22;

/// A mesh or an animation, whose own elements are read one by one.
#[derive(Debug, Deserialize)]
pub(super) struct Parts<'a> {
    pub(super) name: Option<String>,
    #[serde(borrow, default)]
    pub(super) primitives: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) channels: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) samplers: Vec<&'a RawValue>,
    #[serde(borrow)]
    extras: Option<&'a RawValue>,
}

/// What this project says of the records that a mesh or an animation was made from: views.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct StoredViews {
    pub(super) vertices: Option<u32>,
    pub(super) bones: Option<u32>,
    pub(super) states: Option<u32>,
}

impl Parts<'_> {
    /// The views of records; none if `extras` are those of another program.
    pub(super) fn stored(&self) -> StoredViews {
        #[derive(Deserialize)]
        struct Extras {
            stored: StoredViews,
        }
        let extras = self.extras.and_then(|extras| serde_json::from_str::<Extras>(extras.get()).ok());
        extras.map(|extras| extras.stored).unwrap_or_default()
    }
}

/// A mesh or an animation of a list.
pub(super) fn parts<'a>(
    (list, name): (&[&'a RawValue], &'static str),
    index: u32,
    from: &str,
) -> Result<Parts<'a>, GltfError> {
    let Some(raw) = list.get(to_usize(index.into())) else {
        return Err(GltfErrorKind::Missing { index: index.into(), list: name, count: list.len() }.at(from));
    };
    serde_json::from_str(raw.get()).map_err(|error| GltfErrorKind::from(error).at(format_args!("{name}[{index}]")))
}

impl Element {
    fn parse(raw: &RawValue, path: String) -> Result<Self, GltfError> {
        if raw.get().len() > MAX_ELEMENT {
            let limit = GltfErrorKind::Limit { limit: to_u64(MAX_ELEMENT), what: "bytes of an element" };
            return Err(limit.at(path));
        }
        match serde_json::from_str(raw.get()) {
            Ok(value) => Ok(Self { path, value }),
            Err(error) => Err(GltfErrorKind::from(error).at(path)),
        }
    }

    pub(super) fn fields(&self) -> Result<Fields<'_>, GltfError> {
        match &self.value {
            Value::Object(fields) => Ok(Fields { path: &self.path, inner: None, fields }),
            _ => Err(GltfErrorKind::Invalid("is no object").at(&self.path)),
        }
    }
}

impl<'e> Fields<'e> {
    /// A fault of a field.
    pub(super) fn fault(&self, key: &str, text: &'static str) -> GltfError {
        let inner = self.inner.map(|inner| format!(".{inner}")).unwrap_or_default();
        GltfErrorKind::Invalid(text).at(format_args!("{}{inner}.{key}", self.path))
    }

    /// A value that is there; `null` is none.
    fn get(&self, key: &str) -> Option<&'e Value> {
        self.fields.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn size(&self, key: &str) -> Result<Option<u64>, GltfError> {
        let number = |value: &Value| value.as_u64().ok_or_else(|| self.fault(key, "is no whole number from 0"));
        self.get(key).map(number).transpose()
    }

    /// A size without which the element says nothing.
    pub(super) fn needed(&self, key: &str) -> Result<u64, GltfError> {
        self.size(key)?.ok_or_else(|| self.fault(key, "is missing"))
    }

    /// The number of an element of a list.
    pub(super) fn index(&self, key: &str) -> Result<Option<u32>, GltfError> {
        // A number beyond all lists stays one.
        Ok(self.size(key)?.map(|index| u32::try_from(index).unwrap_or(u32::MAX)))
    }

    pub(super) fn text(&self, key: &str) -> Option<&'e str> {
        self.get(key).and_then(Value::as_str)
    }

    pub(super) fn is(&self, key: &str) -> bool {
        self.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    pub(super) fn list(&self, key: &str) -> Result<&'e [Value], GltfError> {
        match self.get(key) {
            Some(Value::Array(list)) => Ok(list),
            Some(_) => Err(self.fault(key, "is no list")),
            None => Ok(&[]),
        }
    }

    /// A list of numbers of elements.
    pub(super) fn indices(&self, key: &str) -> Result<Vec<u32>, GltfError> {
        let index = |value: &Value| value.as_u64().map(|index| u32::try_from(index).unwrap_or(u32::MAX));
        let found: Option<Vec<u32>> = self.list(key)?.iter().map(index).collect();
        found.ok_or_else(|| self.fault(key, "has what is no whole number from 0"))
    }

    #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "to the nearest float")]
    pub(super) fn floats<const N: usize>(&self, key: &str) -> Result<Option<[f32; N]>, GltfError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let list = value.as_array().filter(|list| list.len() == N);
        let mut found = [0.0; N];
        for (place, value) in found.iter_mut().zip(list.into_iter().flatten()) {
            *place = value.as_f64().ok_or_else(|| self.fault(key, "has what is no number"))? as f32;
        }
        if list.is_some() { Ok(Some(found)) } else { Err(self.fault(key, "has another length than glTF allows there")) }
    }

    /// An object in the element.
    pub(super) fn object(&self, key: &'e str) -> Result<Option<Self>, GltfError> {
        match self.get(key) {
            Some(Value::Object(fields)) => Ok(Some(Self { inner: Some(key), fields, ..*self })),
            Some(_) => Err(self.fault(key, "is no object")),
            None => Ok(None),
        }
    }

    /// Whether there is a value.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}
