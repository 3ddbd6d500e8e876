//! The content of a page.

use skelmap::Asset;
use skelmap_export::{Document, ExportOptions};

/// The content of a page. Missing parts are allowed: a file that cannot be read has an error and no document.
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
/// let mut page = Page::default();
/// (page.title, page.asset, page.document) = ("fox".to_owned(), Some(&mesh), Some(&document));
/// let (html, report) = page.to_html()?;
/// assert!(html.starts_with("<!doctype html>") && html.contains("walk") && report.animations == 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Page<'p> {
    /// The name of the model.
    pub title: String,
    /// The displayed location of the file.
    pub path: String,
    /// The file. The page shows its counts, findings and quirks; all of it is checked.
    pub asset: Option<&'p Asset<'p>>,
    /// The drawn and played content.
    pub document: Option<&'p Document<'p>>,
    /// Options for the document in the page, but for [`compact`](ExportOptions::compact) and [`max_joints`](ExportOptions::max_joints), which are
    /// for other programs.
    pub options: ExportOptions,
    /// For each animation of the document, the displayed name of its file. Empty if unknown.
    pub sources: Vec<String>,
    /// Sentences for readers.
    pub notes: Vec<String>,
    /// Why the page has no document.
    pub error: Option<String>,
    /// The maximum size of the page in bytes. Before compression, the document may be eight times as large.
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
