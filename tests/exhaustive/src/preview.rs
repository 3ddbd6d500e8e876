//! Pictures and pages of any bytes: a picture of the size that was asked for, and a page that nothing in the file gets out of.

use skelmap::Asset;
use skelmap::model::Binding;
use skelmap_export::{Animation, Document};
use skelmap_preview::{Camera, Figure, Page, Renderer};

use test_support::model::any_bytes::split;
use test_support::with;

/// The most clips of a page: more say nothing new.
const MAX_CLIPS: usize = 4;

/// The most bytes of a page.
const MAX_BYTES: usize = 1 << 20;

/// The input is a mesh, an animation, or a mesh with an animation behind it.
pub fn preview(bytes: &[u8]) {
    let (mesh, animation) = split(bytes);
    let title = String::from_utf8_lossy(bytes.get(..64).unwrap_or(bytes)).into_owned();
    let (mesh, animation) = (Asset::parse(mesh), Asset::parse(animation));
    let clips: Vec<_> = animation.iter().flat_map(Asset::clips).take(MAX_CLIPS).collect();
    let mut renderer = Renderer::new(24, 16);
    let mut draw = |figure: &Figure| {
        let camera = Camera::around(figure);
        let [width, height] = camera.size();
        assert!(width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite());
        let picture = renderer.draw(figure, &camera);
        assert_eq!(picture.rgba().len(), 24 * 16 * 4);
        assert_eq!(renderer.draw(figure, &camera), picture, "the second picture is the first");
    };
    for clip in &clips {
        for frame in [0.0, 0.5, f64::MAX, f64::NAN] {
            if let Ok(figure) = Figure::of_clip(clip, frame) {
                draw(&figure);
            }
        }
    }
    if let Some((asset, mesh)) = mesh.as_ref().ok().and_then(|asset| Some((asset, asset.mesh()?))) {
        if let Ok(figure) = Figure::of_mesh(&mesh) {
            draw(&figure);
        }
        let animations = clips.iter().map(|clip| Animation::new(clip, Binding::new(&mesh, clip))).collect();
        let mut document = Document::of_mesh(&mesh);
        document.animations = animations;
        check(&{
            let mut own = Page::default();
            own.title.clone_from(&title);
            own.asset = Some(asset);
            own.document = Some(&document);
            own
        });
    }
    let mut document = Document::default();
    document.animations = clips.iter().map(Animation::of_clip).collect();
    let mut page = Page::default();
    page.title.clone_from(&title);
    page.path.clone_from(&title);
    page.document = Some(&document);
    check(&with(page, |own| own.asset = animation.as_ref().ok()));
    check(&with(Page::default(), |own| {
        own.error = Some(title.clone());
        own.title = title;
    }));
}

/// The page is not larger than it may be, has the scripts of an empty page and no other, and its data is JSON.
fn check(page: &Page<'_>) {
    let Ok((html, _)) = with(page.clone(), |own| own.max_bytes = MAX_BYTES).to_html() else {
        return;
    };
    assert!(html.len() <= MAX_BYTES);
    let (empty, _) = Page::default().to_html().unwrap();
    let count = |html: &str| html.to_lowercase().matches("<script").count();
    assert_eq!(count(&html), count(&empty));
    assert_eq!(html.matches('<').count(), empty.matches('<').count(), "nothing of the file is markup");
    let (_, info) = html.split_once("id=\"info\">").unwrap();
    let (info, _) = info.split_once("</script>").unwrap();
    serde_json::from_str::<serde_json::Value>(info).unwrap();
}
