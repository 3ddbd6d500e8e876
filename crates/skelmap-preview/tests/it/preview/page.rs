//! Pages: what is in them, and what cannot get out of them.

use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use skelmap::Asset;
use skelmap::model::Binding;
use skelmap_export::{Animation, Document, ExportOptions};
use skelmap_preview::{Page, PageError};

use super::good;
use test_support::actorx::build::{Anim, Bone, Info, Material, Mesh, chain};
use test_support::corpus::file;
use test_support::with;

/// What stands between two texts.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).unwrap().0
}

fn info(html: &str) -> Value {
    serde_json::from_str(between(html, "id=\"info\">", "</script>")).unwrap()
}

fn page_of(mesh: &[u8], animation: &[u8]) -> (String, Vec<u8>) {
    let (mesh, animation) = (Asset::parse(mesh).unwrap(), Asset::parse(animation).unwrap());
    let model = mesh.mesh().unwrap();
    let mut document = Document::of_mesh(&model);
    document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&model, &clip))).collect();
    let mut glb = Vec::new();
    document.write_glb(&ExportOptions::default(), &mut glb).unwrap();
    let mut page = Page::default();
    page.title = "fox".into();
    page.asset = Some(&mesh);
    page.document = Some(&document);
    (page.to_html().unwrap().0, glb)
}

#[test]
fn a_page_has_the_glb_of_its_document() {
    let (html, glb) = page_of(&good("fox.psk"), &good("fox.psa"));
    let packed = STANDARD.decode(between(&html, "id=\"model\">", "</script>").trim()).unwrap();
    let mut unpacked = Vec::new();
    GzDecoder::new(packed.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, glb);
    let info = info(&html);
    let names: Vec<_> = info["clips"].as_array().unwrap().iter().map(|clip| clip["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["walk", "idle"]);
    assert_eq!((&info["title"], &info["clips"][0]["frames"]), (&"fox".into(), &30.into()));
    assert!(info["facts"].as_array().unwrap().contains(&serde_json::json!(["bones", "23"])));
}

/// The policy lets the browser run the script of the page and no other.
#[test]
fn the_policy_has_the_hashes_of_the_script_and_the_style() {
    let (html, _) = Page::default().to_html().unwrap();
    let policy = between(&html, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let style = hash(between(&html, "<style>", "</style>"));
    let script = hash(between(&html, "<script>", "</script>"));
    let parts: Vec<&str> = policy.split("; ").collect();
    let expected =
        ["default-src 'none'", &format!("script-src {script}"), &format!("style-src {style}"), "img-src data: blob:"];
    assert_eq!(parts, expected);
    assert!(
        !html.contains(" style=\"") && !html.contains(" onclick=") && !html.contains("://"),
        "nothing from elsewhere"
    );
}

#[test]
fn names_of_a_file_are_no_markup() {
    let evil = "</script><script>alert(1)</script><!--\"'&\u{202E}{{model}}";
    let mut mesh = Mesh::sheet(3, 3, 1);
    mesh.materials[0] = Material::new(&evil[..40], 0);
    mesh.bones = vec![Bone::new(&evil[..40], 0, [f32::NAN; 3], [0.0; 4])];
    let built = mesh.chunks().build();
    let asset = Asset::parse(&built.bytes).unwrap();
    let model = asset.mesh().unwrap();
    let document = Document::of_mesh(&model);
    let text = || evil.to_owned();
    let mut page = Page::default();
    page.title = text();
    page.path = text();
    page.asset = Some(&asset);
    page.document = Some(&document);
    page.notes = vec![text()];
    page.error = Some(text());
    let (html, _) = page.to_html().unwrap();
    let (empty, _) = Page::default().to_html().unwrap();
    assert_eq!(html.matches('<').count(), empty.matches('<').count());
    let info = info(&html);
    assert_eq!((&info["title"], &info["notes"][0], &info["error"]), (&text().into(), &text().into(), &text().into()));
    assert!(!between(&html, "<title>", "</title>").contains(['<', '\u{202E}']));
}

/// HTML ends a script at `</script`, and old JavaScript a line at U+2028 and U+2029.
#[test]
fn letters_of_html_and_line_separators_are_numbers_in_the_text_of_a_page() {
    let mut page = Page::default();
    page.title = "a<b>c&d\u{2028}e\u{2029}f".into();
    let (html, _) = page.to_html().unwrap();
    let text = between(&html, "id=\"info\">", "</script>");
    assert!(text.contains(r#""a\u003cb\u003ec\u0026d\u2028e\u2029f""#), "{text}");
    assert_eq!(info(&html)["title"], page.title.as_str());
}

/// The part of the page beside the picture, for a file without a mesh.
fn text_of(bytes: &[u8], hierarchy: usize) -> Value {
    let asset = Asset::parse(bytes).unwrap();
    let bone = skelmap_export::HierarchyBone { name: "bone".to_owned(), parent: None };
    let document = with(Document::default(), |own| {
        own.animations = asset.clips().map(|clip| Animation::of_clip(&clip)).collect();
        own.hierarchy = vec![bone; hierarchy];
    });
    let page = with(Page::default(), |own| (own.asset, own.document) = (Some(&asset), Some(&document)));
    info(&page.to_html().unwrap().0)
}

#[test]
fn a_page_tells_which_bones_cannot_be_drawn_as_lines() {
    let is_flat = |bytes: &[u8], hierarchy| {
        let info = text_of(bytes, hierarchy);
        let notes = info["notes"].as_array().unwrap();
        notes.iter().any(|note| note.as_str().unwrap().contains("each bone is drawn as a point"))
    };
    assert!(is_flat(&good("fox_walk.psa"), 0));
    assert!(!is_flat(&good("fox_walk.psa"), 23), "parents are given");
    assert!(!is_flat(&good("fox.psa"), 0), "parents are in the file");
}

/// 33 frames of 10 a second: 3.3 s.
#[test]
fn seconds_have_three_decimals_and_counts_have_none() {
    let bytes: Vec<u8> = Anim::sway(chain(2), &[("sway", 33, 10.0)]).chunks().into();
    let info = text_of(&bytes, 0);
    let facts = info["facts"].as_array().unwrap();
    assert!(facts.contains(&serde_json::json!(["seconds", "3.300"])), "{facts:?}");
    assert!(facts.contains(&serde_json::json!(["bones", "2"])), "{facts:?}");
}

/// What is wrong with a bone, a point (its normal) and a vertex (its texture coordinates) is shown there.
#[test]
fn findings_have_the_places_of_bones_points_and_vertices() {
    let mut sheet = Mesh::sheet(3, 3, 2);
    sheet.bones[1].rotation = [f32::NAN; 4];
    sheet.wedges[5].u = f32::NAN;
    let mut normals = [[0.0_f32, 0.0, 1.0]; 9];
    normals[7] = [f32::NAN; 3];
    let bytes = sheet.chunks().records("VTXNORMS", &normals).build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let page = with(Page::default(), |own| own.asset = Some(&asset));
    let info = info(&page.to_html().unwrap().0);
    let findings = info["findings"].as_array().unwrap();
    assert!(findings.iter().any(|own| own["bone"] == 1), "{findings:?}");
    // A hundredth of a metre; x stays, z is up, and -y of the file is to the viewer.
    for point in [5, 7] {
        let [x, y, z] = sheet.points[point].map(|value| f64::from(value) * 0.01);
        let is_there = |own: &&Value| {
            let place = &own["points"][0];
            own["points"].as_array().is_some_and(|own| own.len() == 1)
                && [x, z, -y]
                    .iter()
                    .enumerate()
                    .all(|(axis, value)| (place[axis].as_f64().unwrap() - value).abs() < 1e-6)
        };
        assert_eq!(findings.iter().filter(is_there).count(), 1, "{point}: {findings:?}");
    }
}

/// The finding of the check, and the corners of the face that it is about, in metres and with y up.
#[test]
fn a_finding_has_its_place() {
    let bytes = file("actorx/mesh/face_degenerate.psk");
    let asset = Asset::parse(&bytes).unwrap();
    let mesh = asset.mesh().unwrap();
    let document = Document::of_mesh(&mesh);
    let (html, _) = with(Page::default(), |own| {
        own.asset = Some(&asset);
        own.document = Some(&document);
    })
    .to_html()
    .unwrap();
    let info = info(&html);
    let finding = &info["findings"][0];
    assert_eq!(finding["code"], "face-degenerate");
    let index = asset.check()[0].index.unwrap() as usize;
    let places = mesh.triangle(index).unwrap().vertices.map(|vertex| {
        let [x, y, z] = mesh.positions().stored().get(mesh.point_of(vertex as usize).unwrap()).unwrap().get();
        [x * 0.01, z * 0.01, -y * 0.01]
    });
    for (place, expected) in finding["points"].as_array().unwrap().iter().zip(places) {
        for (value, expected) in place.as_array().unwrap().iter().zip(expected) {
            assert!((value.as_f64().unwrap() - f64::from(expected)).abs() < 1e-6, "{place} {expected}");
        }
    }
}

#[test]
fn a_page_says_what_is_not_known() {
    for (name, words) in [("officer_walk.gsa", "rotations only"), ("fox_walk.psa", "neither names nor parents")] {
        let bytes = good(name);
        let asset = Asset::parse(&bytes).unwrap();
        let mut document = Document::default();
        document.animations = asset.clips().map(|clip| Animation::of_clip(&clip)).collect();
        let (html, _) = with(Page::default(), |own| {
            own.asset = Some(&asset);
            own.document = Some(&document);
        })
        .to_html()
        .unwrap();
        assert!(info(&html)["notes"][0].as_str().unwrap().contains(words), "{name}");
    }
}

/// A browser has to unpack what is in the page.
#[test]
fn keys_that_repeat_do_not_make_a_small_page_of_a_large_model() {
    let mut anim = Anim::sway(chain(1), &[("wink", 40_000, 30.0)]);
    for (frame, key) in anim.keys.iter_mut().enumerate() {
        key.rotation = if frame % 2 == 0 { [0.0, 0.0, 0.0, 1.0] } else { [0.0, 0.0, 0.6, 0.8] };
    }
    // One key is at another frame of each sequence, since equal keys are stored once.
    anim.keys[20_000].rotation = [0.6, 0.0, 0.0, 0.8];
    anim.infos = (0..20).map(|index| Info::new(format!("s{index}"), 1, index, 39_900, 30.0)).collect();
    let (built, mesh) = (anim.chunks().build(), Mesh::sheet(3, 3, 1).chunks().build());
    let (animation, mesh) = (Asset::parse(&built.bytes).unwrap(), Asset::parse(&mesh.bytes).unwrap());
    let model = mesh.mesh().unwrap();
    let mut document = Document::of_mesh(&model);
    document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&model, &clip))).collect();
    let mut page = Page::default();
    page.document = Some(&document);
    let whole = page.to_html().unwrap().0.len();
    assert!(whole < 39_900 * 20 * 16 / 8, "{whole} bytes for keys of {}", 39_900 * 20 * 16);
    assert!(matches!(with(page, |own| own.max_bytes = whole).to_html(), Err(PageError::TooLarge { .. })));
}

/// Its script knows one skin, and floats.
#[test]
fn a_page_has_what_its_script_reads_whatever_other_programs_need() {
    let mesh = Mesh::sheet(9, 9, 40).chunks().build().bytes;
    let asset = Asset::parse(&mesh).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    let mut page = Page::default();
    page.document = Some(&document);
    let mut options = ExportOptions::default();
    options.max_joints = Some(32);
    options.compact = true;
    assert_eq!(with(page.clone(), |own| own.options = options).to_html().unwrap().0, page.to_html().unwrap().0);
}

#[test]
fn a_page_is_refused_as_soon_as_it_is_too_large() {
    let (mesh, animation) = (good("fox.psk"), good("fox.psa"));
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let model = mesh.mesh().unwrap();
    let clip = animation.clips().next().unwrap();
    let one = Animation::new(&clip, Binding::new(&model, &clip));
    let mut document = Document::of_mesh(&model);
    document.animations = vec![one; 20];
    let mut page = Page::default();
    page.document = Some(&document);
    let whole = page.to_html().unwrap().0.len();
    for most in [0, 1000, 20_000, whole - 1] {
        let refused = with(page.clone(), |own| own.max_bytes = most).to_html();
        assert!(matches!(refused, Err(PageError::TooLarge { most: own }) if own == most), "{most}");
    }
    assert_eq!(with(page, |own| own.max_bytes = whole).to_html().unwrap().0.len(), whole);
}
