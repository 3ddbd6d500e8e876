//! Summaries and severities as a program that reads JSON finds them.

use serde_json::json;
use skelmap::archive::Limits;
use skelmap::mapping::Mapping;
use skelmap::model::VertexOptions;
use skelmap::{Asset, AssetBuf, Error, Headers, ParseOptions, Severity};

use test_support::actorx::corpus::sample::{figure, walk_and_run};

#[test]
fn a_summary_has_every_count_and_null_for_counts_that_the_format_lacks() {
    let mesh = figure().chunks().build().bytes;
    let expected = json!({
        "bones": 4, "points": 8, "wedges": 24, "faces": 12, "materials": 2, "uv_sets": 1,
        "sequences": null, "frames": null, "duration_s": null,
    });
    assert_eq!(serde_json::to_value(Asset::parse(&mesh).unwrap().summary()).unwrap(), expected);
    let animation = walk_and_run().chunks().build().bytes;
    let expected = json!({
        "bones": 4, "points": null, "wedges": null, "faces": null, "materials": null, "uv_sets": null,
        "sequences": 2, "frames": 8, "duration_s": 0.5,
    });
    assert_eq!(serde_json::to_value(Asset::parse(&animation).unwrap().summary()).unwrap(), expected);
}

#[test]
fn a_severity_is_serialized_as_its_code() {
    for severity in [Severity::Note, Severity::Warning, Severity::Error] {
        assert_eq!(serde_json::to_value(severity).unwrap(), severity.code());
    }
}

#[test]
fn headers_and_errors_are_objects() {
    let mesh = figure().chunks().build().bytes;
    let headers = Headers::read(mesh.as_slice(), &ParseOptions::default()).unwrap();
    let found = serde_json::to_value(&headers).unwrap();
    assert_eq!((&found["format"], &found["summary"]["bones"]), (&json!("actorx.psk"), &json!(4)));
    assert_eq!((&found["quirks"], &found["names"]), (&json!([]), &json!(null)));
    let error = Asset::parse(b"").unwrap_err();
    let expected = json!({"code": "empty", "message": "the file is empty", "section": "file", "offset": 0});
    assert_eq!(serde_json::to_value(error).unwrap(), expected);
}

#[test]
fn options_are_objects_and_come_back() {
    let mut options = VertexOptions::default();
    (options.influences, options.max_joints) = (8, Some(256));
    let text = serde_json::to_string(&options).unwrap();
    assert_eq!(serde_json::from_str::<VertexOptions>(&text).unwrap(), options);
    assert_eq!(serde_json::from_str::<VertexOptions>("{}").unwrap(), VertexOptions::default());
    let found: VertexOptions = serde_json::from_str(r#"{"winding": "clockwise", "uv_origin": "bottom"}"#).unwrap();
    assert_eq!(serde_json::to_value(&found).unwrap()["winding"], "clockwise");
    assert_eq!(serde_json::to_value(Limits::default()).unwrap()["entries"], 1 << 20);
}

/// The errors along a chain.
fn chain<'e>(error: &'e (dyn std::error::Error + 'static)) -> Vec<&'e (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |error| error.source()).collect()
}

#[test]
fn the_chain_of_an_error_ends_at_that_of_the_system() {
    let is_not_found = |error: &(dyn std::error::Error + 'static)| {
        let last = *chain(error).last().unwrap();
        last.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound)
    };
    let of_file = Mapping::read("nowhere.psk").unwrap_err();
    assert!(is_not_found(&of_file));
    let of_address = skelmap::archive::AddressError::from(of_file);
    assert!(is_not_found(&of_address));
    let of_source = skelmap::ReadError::<_, Error>::Source(std::io::Error::from(std::io::ErrorKind::NotFound));
    assert!(is_not_found(&of_source));
}

#[test]
fn an_error_leaves_the_bytes_of_its_file_behind() {
    let bytes = std::sync::Arc::<[u8]>::from(vec![1, 2, 3]);
    let error = AssetBuf::parse(bytes.clone()).map(|_| ()).map_err(Error::from).unwrap_err();
    assert_eq!((error.code().name(), std::sync::Arc::strong_count(&bytes)), ("unknown-format", 1));
}
