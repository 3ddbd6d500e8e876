//! Summaries and severities as a program that reads JSON finds them.

use serde_json::json;
use skelmap::{Asset, Severity};

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
