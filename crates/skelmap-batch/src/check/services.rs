//! Findings as services for continuous integration read them: SARIF 2.1.0, `JUnit`, and the commands of GitHub.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value, json};
use skelmap::Severity;

use super::places::ESCAPED;
use super::{Checked, Found};
use crate::codes;
use crate::columns::shown;
use crate::markup::{escaped, to_link};
use crate::report::Output;
use crate::text::clean;

/// The format of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// A log of SARIF 2.1.0.
    Sarif,
    /// A test of `JUnit` for each file.
    Junit,
    /// Commands of GitHub Actions.
    Github,
}

/// A report for a service, written as the files come.
pub struct ForService {
    out: Output,
    service: Service,
    /// The codes that were found, for the rules of SARIF.
    codes: BTreeMap<&'static str, Severity>,
    results: u64,
    /// Whether there is a finding for each record.
    is_of_records: bool,
}

impl std::fmt::Debug for ForService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ForService").finish_non_exhaustive()
    }
}

impl ForService {
    /// Begins a report. `is_of_records`: there is a finding for each record.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(mut out: Output, service: Service, is_of_records: bool) -> io::Result<Self> {
        match service {
            Service::Sarif => out.write_all(
                b"{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [{\n\"results\": [",
            )?,
            Service::Junit => {
                out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"skelmap check\">\n")?;
            }
            Service::Github => {}
        }
        Ok(Self { out, service, codes: BTreeMap::new(), results: 0, is_of_records })
    }

    /// Adds the findings of a file.
    ///
    /// # Errors
    /// Those of the output.
    pub fn add(&mut self, checked: &Checked) -> io::Result<()> {
        match self.service {
            Service::Sarif => checked.reported.iter().try_for_each(|found| self.add_result(found, &checked.location)),
            Service::Junit => self.add_case(checked),
            Service::Github => checked.reported.iter().try_for_each(|found| self.add_command(found, &checked.location)),
        }
    }

    fn add_result(&mut self, found: &Found, location: &str) -> io::Result<()> {
        let severity = self.codes.entry(found.code).or_insert(found.severity);
        *severity = found.severity.max(*severity);
        let uri = location.strip_prefix(ESCAPED).map_or_else(|| to_link(location), ToOwned::to_owned);
        let address = shown(location, found.place.entry());
        // GitHub takes no result without a line; in the standard, lines and bytes of a region do not depend on each other.
        let region = json!({ "startLine": 1 });
        let mut location = json!({ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region } });
        // A part of a file is where it is in the archive; that is not known here.
        let offset = found.offset.filter(|_| found.place.entry().is_none());
        let region = location.pointer_mut("/physicalLocation/region").and_then(Value::as_object_mut);
        if let (Some(offset), Some(region)) = (offset, region) {
            region.insert("byteOffset".to_owned(), offset.into());
        }
        if let (Some(entry), Some(location)) = (found.place.entry(), location.as_object_mut()) {
            let logical = json!([{ "name": entry, "fullyQualifiedName": address, "kind": "member" }]);
            location.insert("logicalLocations".to_owned(), logical);
        }
        let mut fingerprint = format!("{address}/{}/{}", found.code, found.section.as_deref().unwrap_or_default());
        // Services take results with equal fingerprints for one.
        if let Some(index) = found.index.filter(|_| self.is_of_records) {
            write!(fingerprint, "/{index}").map_err(io::Error::other)?;
        }
        let result = json!({
            "ruleId": found.code,
            "level": found.severity.code(),
            "message": { "text": found.text() },
            "locations": [location],
            "partialFingerprints": { "skelmap/v1": fingerprint },
        });
        let before: &[u8] = if self.results > 0 { b",\n" } else { b"\n" };
        self.results += 1;
        self.out.write_all(before)?;
        serde_json::to_writer(&mut self.out, &result).map_err(io::Error::from)
    }

    /// A test for each file, which fails if something is found.
    fn add_case(&mut self, checked: &Checked) -> io::Result<()> {
        let name = escaped(&shown(&checked.location, checked.place.entry()));
        let format = checked.format.unwrap_or("unknown");
        write!(self.out, "<testcase classname=\"{format}\" name=\"{name}\"")?;
        let Some(first) = checked.reported.first() else { return self.out.write_all(b"/>\n") };
        let tag = if first.is_error { "error" } else { "failure" };
        let lines: Vec<String> =
            checked.reported.iter().map(|found| format!("{} {}", found.severity, found.text())).collect();
        writeln!(
            self.out,
            "><{tag} type=\"{}\" message=\"{}\">{}</{tag}></testcase>",
            first.code,
            escaped(&first.text()),
            lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("\n")
        )
    }

    /// A line that GitHub shows beside the file.
    fn add_command(&mut self, found: &Found, location: &str) -> io::Result<()> {
        let level = if found.severity == Severity::Note { "notice" } else { found.severity.code() };
        let file = to_property(location);
        let title = to_property(&format!("skelmap {}", found.code));
        let message = format!("{}: {}", shown(location, found.place.entry()), found.text());
        writeln!(self.out, "::{level} file={file},title={title}::{}", to_data(&message))
    }

    /// Writes the end.
    ///
    /// # Errors
    /// Those of the output.
    pub fn end(mut self) -> io::Result<()> {
        match self.service {
            Service::Sarif => {
                let rules: Vec<_> = self.codes.iter().map(|(code, severity)| rule(code, *severity)).collect();
                let version = env!("CARGO_PKG_VERSION");
                let tool = json!({ "driver": { "name": "skelmap", "version": version, "rules": rules } });
                writeln!(self.out, "\n],\n\"tool\": {tool}}}]}}")?;
            }
            Service::Junit => self.out.write_all(b"</testsuite>\n</testsuites>\n")?,
            Service::Github => {}
        }
        self.out.flush()
    }
}

/// What a code means, for people who read the results.
fn rule(code: &str, severity: Severity) -> serde_json::Value {
    let known = codes::find(code);
    let sentence = known.map_or_else(|| code.to_owned(), |code| code.sentence().to_owned());
    let explanation = known.map_or_else(|| sentence.clone(), |code| code.explanation().to_owned());
    json!({
        "id": code,
        "shortDescription": { "text": sentence },
        "fullDescription": { "text": explanation },
        "defaultConfiguration": { "level": severity.code() },
    })
}

/// Text after the second colons of a command: it has one line, and no character that controls a terminal or turns the line.
fn to_data(text: &str) -> String {
    clean(text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

/// Text in the properties of a command.
fn to_property(text: &str) -> String {
    to_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use skelmap::archive::Address;

    use super::*;
    use crate::items::Fault;
    use crate::report::buffered;

    /// The reference of GitHub: levels are notice, warning and error, and colons and commas divide properties.
    #[test]
    fn a_command_has_the_level_and_the_place_of_its_finding() {
        let fault = Fault { kind: "io", section: None, offset: None, message: "is 50% there".to_owned() };
        let place = Arc::new(Address::of_file("a:b,c.psk"));
        let levels = [(Severity::Note, "notice"), (Severity::Warning, "warning"), (Severity::Error, "error")];
        for (severity, level) in levels {
            let found = Found { severity, ..Found::of_error(&place, &fault) };
            let mut report = ForService::new(buffered(io::sink()), Service::Github, false).expect("begun");
            report.add_command(&found, "a:b,c.psk").expect("written");
            let expected = format!("::{level} file=a%3Ab%2Cc.psk,title=skelmap io::a:b,c.psk: [io] is 50%25 there\n");
            assert_eq!(std::str::from_utf8(report.out.buffer()), Ok(expected.as_str()));
        }
    }

    #[test]
    fn a_rule_has_the_words_of_its_code() {
        let known = codes::find("face-degenerate").expect("a code");
        let told = |code, severity| {
            let rule = rule(code, severity);
            let text = |pointer| rule.pointer(pointer).and_then(Value::as_str).map(ToOwned::to_owned);
            ["/id", "/shortDescription/text", "/fullDescription/text", "/defaultConfiguration/level"].map(text)
        };
        let of = |texts: [&str; 4]| texts.map(|text| Some(text.to_owned()));
        let expected = of(["face-degenerate", known.sentence(), known.explanation(), "warning"]);
        assert_eq!(told("face-degenerate", Severity::Warning), expected);
        assert_eq!(told("unknown", Severity::Note), of(["unknown", "unknown", "unknown", "note"]));
    }
}
