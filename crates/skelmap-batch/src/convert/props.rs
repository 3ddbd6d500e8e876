//! The models at the prop points of an output: each file is opened once, and each model is prepared once.

use std::collections::HashMap;
use std::sync::Arc;

use skelmap_export::Document;

use super::attached::{Documents, MAX_ATTACHED, attached};
use super::converter::{Converter, NO_MESH, of_file, parsed};
use super::error::OutputError;
use super::jobs::{Job, add_note};
use crate::items::{Item, Loaded};
use crate::pair::Found;

/// A model at a prop point, and its files.
pub(super) struct Opened<'j> {
    prop: &'j Job<'j>,
    mesh: Arc<Loaded>,
    animations: Vec<Arc<Loaded>>,
}

impl Converter<'_> {
    /// Opens the models at prop points, each once and after its own. One with a damaged file is left out, which a note says.
    pub(super) fn open_props<'j>(
        &self,
        job: &'j Job<'j>,
        notes: &mut Vec<String>,
        left: &mut usize,
    ) -> Result<Vec<Opened<'j>>, OutputError> {
        let (mut opened, mut known) = (Vec::new(), HashMap::new());
        for prop in job.all_props() {
            match self.open_prop(job, prop, &mut known) {
                Ok(own) => opened.push(own),
                Err(error) => add_note(notes, prop_note(&error)),
            }
            let bytes = known.values().fold(0_usize, |sum, own: &Arc<Loaded>| sum.saturating_add(own.bytes().len()));
            *left = MAX_ATTACHED.checked_sub(bytes).ok_or_else(too_much)?;
        }
        Ok(opened)
    }

    /// `known`: the files that were opened before.
    fn open_prop<'j>(
        &self,
        job: &Job<'_>,
        prop: &'j Job<'j>,
        known: &mut HashMap<*const Item, Arc<Loaded>>,
    ) -> Result<Opened<'j>, OutputError> {
        let mut open = |own: &Found<'j>| {
            if let Some(known) = known.get(&std::ptr::from_ref(own.item)) {
                return Ok(Arc::clone(known));
            }
            let loaded = self.open(job, own)?;
            own.item.check_checksum(loaded.stored()).map_err(|error| of_file(job, own, error))?;
            known.insert(std::ptr::from_ref(own.item), Arc::clone(&loaded));
            Ok::<_, OutputError>(loaded)
        };
        let animations = prop.animations.iter().map(|own| open(own.animation)).collect::<Result<_, _>>()?;
        Ok(Opened { prop, mesh: open(prop.first)?, animations })
    }

    /// The models at prop points, with those at their own.
    pub(super) fn documents<'d>(
        &self,
        job: &Job<'_>,
        opened: &'d [Opened<'d>],
        notes: &mut Vec<String>,
        left: &mut usize,
    ) -> Result<Documents<'d>, OutputError> {
        let mut documents = Documents::new();
        for own in opened {
            let mut document = match self.document(job, own, notes) {
                Ok(document) => document,
                Err(error) => {
                    add_note(notes, prop_note(&error));
                    continue;
                }
            };
            for image in &document.images {
                *left = left.checked_sub(image.bytes.len()).ok_or_else(too_much)?;
            }
            document.attached = attached(own.prop, &documents, document.mesh.as_ref(), notes);
            documents.insert(std::ptr::from_ref(own.prop), Arc::new(document));
        }
        Ok(documents)
    }

    /// A model at a prop point, without those at its own.
    fn document<'d>(
        &self,
        job: &Job<'_>,
        own: &'d Opened<'d>,
        notes: &mut Vec<String>,
    ) -> Result<Document<'d>, OutputError> {
        let prop = own.prop;
        let model = parsed(&own.mesh, prop.first, job)?;
        let mesh = model.mesh().ok_or_else(|| of_file(job, prop.first, NO_MESH))?;
        let members = own.animations.iter().zip(prop.animations.iter().map(|member| member.animation));
        let assets = members.map(|(loaded, own)| parsed(loaded, own, job)).collect::<Result<Vec<_>, _>>()?;
        let no_side_cars = vec![None; assets.len()];
        let prepared = self.prepare(prop, Some(&mesh), &assets, &no_side_cars, &mut Vec::new());
        let (mut document, _) = prepared.map_err(|error| of_file(job, prop.first, error))?;
        if let Some(textures) = &self.textures {
            let faults = textures.read(&textures.places(&mesh, prop), &mut document);
            for fault in faults {
                add_note(notes, fault);
            }
        }
        Ok(document)
    }
}

fn too_much() -> OutputError {
    OutputError::new("the props of the actor have more than 512 MiB")
}

fn prop_note(error: &OutputError) -> String {
    format!("a prop is left out: {}", error.message)
}
