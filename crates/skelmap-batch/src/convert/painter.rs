//! The textures of meshes, for pictures of them and for other programs.

use std::borrow::Cow;
use std::sync::Arc;

use skelmap::archive::Address;
use skelmap::model::Mesh;
use skelmap_export::{Document, Image};
use skelmap_preview::Texture;

use super::error::ConvertError;
use super::options::ConvertOptions;
use super::textures::Textures;
use crate::Source;
use crate::pair::Dress;

/// Finds the textures that a conversion gives to meshes.
///
/// A build without the feature `textures` decodes no image: figures keep the colours of materials.
#[derive(Debug)]
pub struct Painter {
    textures: Option<Textures>,
    edge: u32,
}

/// The images of a mesh.
#[derive(Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "three parts of one answer")]
pub struct Clothes {
    /// Each image once, as PNG or JPEG, and where it lies.
    pub images: Vec<(Image<'static>, Address)>,
    /// For each material, its image; `None` for one without an image that can be used. A mesh without names of materials has one.
    pub of_materials: Vec<Option<usize>>,
    /// The images that cannot be used, and why.
    pub faults: Vec<String>,
}

impl Painter {
    /// The options say where images are. `edge`: the pixels of an edge of a picture; larger images are scaled down.
    ///
    /// # Errors
    /// An image, a table or a folder of the options that is not there.
    pub fn new(source: &Source, options: &ConvertOptions, edge: u32) -> Result<Self, ConvertError> {
        let textures = options.textures.then(|| Textures::new(source, options)).transpose()?;
        Ok(Self { textures, edge: edge.next_power_of_two() })
    }

    /// For each material of a mesh, its texture; `None` for one without an image that can be used. `address`: where the mesh lies.
    pub fn textures(&self, mesh: &Mesh<'_>, address: &Address, dress: &Dress) -> Vec<Option<Arc<Texture>>> {
        let Some(textures) = &self.textures else { return Vec::new() };
        let places = textures.find(mesh, address, dress, false);
        textures.textures(&places, self.edge, dress.is_transparent)
    }

    /// The images of a mesh, in full size. `address`: where the mesh lies.
    pub fn clothes(&self, mesh: &Mesh<'_>, address: &Address, dress: &Dress) -> Clothes {
        let Some(textures) = &self.textures else { return Clothes::default() };
        let places = textures.find(mesh, address, dress, false);
        let mut document = Document::default();
        let faults = textures.read(&places, &mut document);
        let addresses: Vec<Address> = places.images().collect();
        let mut of_images = vec![None; document.images.len()];
        for (image, place) in document.textures.iter().zip(places.of_materials()) {
            if let Some(own) = image.and_then(|image| of_images.get_mut(image)) {
                *own = place.and_then(|place| addresses.get(place));
            }
        }
        let owned = |image: Image<'_>| Image { bytes: Cow::Owned(image.bytes.into_owned()), ..image };
        let images = document.images.into_iter().zip(of_images);
        let images = images.map(|(image, place)| (owned(image), place.unwrap_or(address).clone())).collect();
        Clothes { images, of_materials: document.textures, faults }
    }
}
