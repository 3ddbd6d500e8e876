//! The textures of meshes in pictures.

use std::sync::Arc;

use skelmap::archive::Address;
use skelmap::model::Mesh;
use skelmap_preview::Texture;

use super::error::ConvertError;
use super::options::ConvertOptions;
use super::textures::Textures;
use crate::Source;
use crate::pair::Dress;

/// Finds the textures that a conversion gives to meshes, for pictures of them.
///
/// A build without the feature `textures` reads no image, and figures keep the colours of materials.
#[derive(Debug)]
pub struct Painter<'s> {
    textures: Option<Textures<'s>>,
    edge: u32,
}

impl<'s> Painter<'s> {
    /// The options say where images are. `edge`: the pixels of an edge of a picture; larger images are scaled down.
    ///
    /// # Errors
    /// An image, a table or a folder of the options that is not there.
    pub fn new(source: &'s Source, options: &ConvertOptions, edge: u32) -> Result<Self, ConvertError> {
        let textures = options.textures.then(|| Textures::new(source, options)).transpose()?;
        Ok(Self { textures, edge: edge.next_power_of_two() })
    }

    /// For each material of a mesh, its texture; `None` for one without an image that can be used. `address`: where the mesh lies.
    pub fn textures(&self, mesh: &Mesh<'_>, address: &Address, dress: &Dress) -> Vec<Option<Arc<Texture>>> {
        let Some(textures) = &self.textures else { return Vec::new() };
        let places = textures.find(mesh, address, dress, false);
        textures.textures(&places, self.edge, dress.is_transparent)
    }
}
