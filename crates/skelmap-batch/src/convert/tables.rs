//! Tables of two columns that the arguments name: a material and its image, a sequence and its new name.

use std::path::Path;

use super::error::ConvertError;
use crate::regular::read_regular;

/// The largest table that is read.
const MAX_TABLE: u64 = 1 << 20;

/// Reads a table: a JSON object of texts, or lines of two columns with a tab or the first `=` between them. Empty lines, and those that begin
/// with `#`, say nothing.
pub(super) fn read_table(path: &Path) -> Result<Vec<(String, String)>, ConvertError> {
    let wrong = |error: String| ConvertError::Table { path: path.to_owned(), error };
    let bytes = read_regular(path, MAX_TABLE + 1).map_err(|error| wrong(error.to_string()))?;
    if bytes.len() as u64 > MAX_TABLE {
        return Err(wrong("is larger than 1 MiB".to_owned()));
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong("is no text in UTF-8".to_owned()))?;
    rows(text.trim_start_matches('\u{feff}')).map_err(wrong)
}

fn rows(text: &str) -> Result<Vec<(String, String)>, String> {
    if text.trim_start().starts_with('{') {
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        let row = |(key, value): (String, serde_json::Value)| match value {
            serde_json::Value::String(value) => Ok((key, value)),
            _ => Err(format!("the value of {key} is no text")),
        };
        return object.into_iter().map(row).collect();
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(index, line)| {
            let columns =
                line.split_once('\t').or_else(|| line.split_once('=')).map(|(one, two)| (one.trim(), two.trim()));
            let columns = columns.filter(|(one, two)| !one.is_empty() && !two.is_empty());
            let (one, two) = columns.ok_or_else(|| format!("line {} has not two columns", index + 1))?;
            Ok((one.to_owned(), two.to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_lines_or_an_object() {
        let own =
            |rows: &[(&str, &str)]| Ok(rows.iter().map(|(one, two)| ((*one).to_owned(), (*two).to_owned())).collect());
        assert_eq!(
            rows("# of the fox\nBody = body.png\r\n\nA=b\tc=d.png\n"),
            own(&[("Body", "body.png"), ("A=b", "c=d.png")])
        );
        assert_eq!(rows(r#" {"Body": "body.png"}"#), own(&[("Body", "body.png")]));
        assert_eq!(rows(""), own(&[]));
        assert_eq!(rows("a=b\nBody"), Err("line 2 has not two columns".to_owned()));
        assert_eq!(rows("Body="), Err("line 1 has not two columns".to_owned()));
        assert_eq!(rows(r#"{"Body": 7}"#), Err("the value of Body is no text".to_owned()));
        assert!(rows("{").is_err() && rows(&"{\"a\":".repeat(100_000)).is_err());
    }

    #[test]
    fn a_table_has_one_mebibyte_at_most() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("names.txt");
        let read = |length: usize| {
            let end = "\na=b";
            std::fs::write(&path, format!("#{}{end}", "x".repeat(length - 1 - end.len()))).expect("written");
            read_table(&path).map_err(|error| error.to_string())
        };
        assert_eq!(read(1 << 20), Ok(vec![("a".to_owned(), "b".to_owned())]));
        assert_eq!(read((1 << 20) + 1), Err(format!("{}: is larger than 1 MiB", path.display())));
    }
}
