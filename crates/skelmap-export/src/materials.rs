//! Materials with their textures.

use crate::document::Document;
use crate::geometry::{MaterialRange, small};
use crate::json;
use crate::plan::{Piece, Plan};
use skelmap::model::{Alpha, Mesh};
use skelmap::shared::{to_u64, to_usize};

impl<'p> Plan<'p> {
    /// Adds the images that materials of the mesh use, each once. Returns the texture of each image.
    pub(crate) fn add_images(&mut self, parts: &[MaterialRange], document: &'p Document<'p>) -> Vec<Option<u32>> {
        let image = |part: &MaterialRange| document.textures.get(to_usize(part.material.into())).copied().flatten();
        let mut used: Vec<usize> = parts.iter().filter_map(image).collect();
        used.sort_unstable();
        let mut textures = Vec::new();
        for (index, image) in document.images.iter().enumerate() {
            if image.bytes.is_empty() || used.binary_search(&index).is_err() {
                textures.push(None);
                continue;
            }
            let view = self.add_piece(Piece::Image(&image.bytes), to_u64(image.bytes.len()), None, None);
            let (name, mime_type) = (image.name.clone(), image.media_type.name());
            self.root.images.push(json::Image { name, mime_type, buffer_view: view });
            self.root.textures.push(json::Texture { source: small(self.root.images.len().saturating_sub(1)) });
            textures.push(Some(small(self.root.textures.len().saturating_sub(1))));
        }
        textures
    }

    /// Adds a material of the mesh; returns its index.
    pub(crate) fn add_material(
        &mut self,
        mesh: &Mesh<'_>,
        index: u32,
        document: &Document<'_>,
        textures: &[Option<u32>],
    ) -> u32 {
        let index = to_usize(index.into());
        let (name, surface) = (mesh.material(index), mesh.surface(index));
        let image = document.textures.get(index).copied().flatten();
        let texture = image.and_then(|image| textures.get(image).copied().flatten());
        let alpha_mode = match surface.alpha {
            Alpha::Opaque => None,
            Alpha::Masked => Some("MASK"),
            Alpha::Blended => Some("BLEND"),
        };
        let base_color_texture = texture.map(|index| json::TextureInfo { index });
        self.root.materials.push(json::Material {
            name: name.map(|name| name.to_string()).unwrap_or_default(),
            double_sided: surface.is_two_sided,
            alpha_mode,
            // The default would be a metal.
            pbr_metallic_roughness: json::Pbr { base_color_texture, metallic_factor: 0 },
        });
        small(self.root.materials.len().saturating_sub(1))
    }
}
