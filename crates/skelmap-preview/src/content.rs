//! The content of a page, as a caller gives it.

use skelmap::Asset;
use skelmap_export::{Document, ExportOptions};

/// The content of a page. A page shows what is known: a file that cannot be read has an error and no document.
///
/// ```
/// use skelmap::{Asset, model::Binding};
/// use skelmap_export::{Animation, Document};
/// use skelmap_preview::Page;
///
/// let (mesh, animation) = (std::fs::read("../../corpus/fox.psk")?, std::fs::read("../../corpus/fox.psa")?);
/// let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
/// let model = mesh.mesh().ok_or("no mesh")?;
/// let mut document = Document::of_mesh(&model);
/// document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&model, &clip))).collect();
/// let page = Page { title: "fox".to_owned(), asset: Some(&mesh), document: Some(&document), ..Page::default() };
/// let (html, report) = page.to_html()?;
/// assert!(html.starts_with("<!doctype html>") && html.contains("walk") && report.animations == 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Page<'p> {
    /// The name of the model.
    pub title: String,
    /// Where the file is, for people.
    pub path: String,
    /// The file: its counts, findings and quirks are shown. All of it is checked.
    pub asset: Option<&'p Asset<'p>>,
    /// What is drawn and played.
    pub document: Option<&'p Document<'p>>,
    /// How the document is written into the page.
    pub options: ExportOptions,
    /// For each animation of the document the file that it is from, for people. Those without one have none.
    pub sources: Vec<String>,
    /// Sentences for people.
    pub notes: Vec<String>,
    /// Why there is no document.
    pub error: Option<String>,
    /// The greatest number of bytes of the page. The document may have eight times as many before it is compressed.
    pub max_bytes: usize,
}

impl Default for Page<'_> {
    fn default() -> Self {
        Self {
            title: String::new(),
            path: String::new(),
            asset: None,
            document: None,
            options: ExportOptions::default(),
            sources: Vec::new(),
            notes: Vec::new(),
            error: None,
            max_bytes: 64 << 20,
        }
    }
}
