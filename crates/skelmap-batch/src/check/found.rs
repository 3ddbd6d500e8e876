//! Something that is wrong, and its columns.

use std::sync::Arc;

use crate::items::{Fault, SCHEMA};
use skelmap::archive::Address;
use skelmap::{Finding, Quirk, Severity};

use crate::columns::{
    ADDRESS_COLUMN, ENTRY_COLUMN, PATH_COLUMN, SCHEMA_COLUMN, address_cell, archive, path, path_within,
};
use crate::report::{ARCHIVE, Column, Field, Look, PATH, Values, field, integer, text};
use crate::targets::Complaint;
use crate::text::{and_more, clean};

/// Something that is wrong: a finding, an error, or a quirk as a note.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found {
    /// The file.
    pub place: Arc<Address>,
    /// How bad it is.
    pub severity: Severity,
    pub(crate) code: &'static str,
    pub(crate) section: Option<String>,
    pub(crate) offset: Option<u64>,
    pub(crate) index: Option<u64>,
    pub(crate) count: u64,
    pub(crate) message: String,
    /// Whether the message names the section and the byte itself.
    pub(crate) is_error: bool,
}

impl Found {
    pub(crate) fn of_error(place: &Arc<Address>, error: &Fault) -> Self {
        let Fault { kind, section, offset, message } = error.clone();
        let (severity, place) = (Severity::Error, Arc::clone(place));
        Self { place, severity, code: kind, section, offset, index: None, count: 1, message, is_error: true }
    }

    pub(crate) fn of_finding(place: &Arc<Address>, finding: Finding) -> Self {
        let Finding { severity, code, section, offset, index, count, message, .. } = finding;
        let (section, offset, place) = (Some(section.to_string()), Some(offset), Arc::clone(place));
        Self { place, severity, code: code.name(), section, offset, index, count, message, is_error: false }
    }

    pub(crate) fn of_target(place: &Arc<Address>, complaint: Complaint) -> Self {
        let Complaint { code, severity, message } = complaint;
        let place = Arc::clone(place);
        Self {
            place,
            severity,
            code: code.name(),
            section: None,
            offset: None,
            index: None,
            count: 1,
            message,
            is_error: false,
        }
    }

    pub(crate) fn of_quirk(place: &Arc<Address>, (quirk, count): (Quirk, u64)) -> Self {
        Self {
            place: Arc::clone(place),
            severity: quirk.code.severity(),
            code: quirk.code.name(),
            section: Some(quirk.section.to_string()),
            offset: Some(quirk.offset),
            index: None,
            count,
            message: quirk.code.sentence().to_owned(),
            is_error: false,
        }
    }

    /// What is said of the file after the severity.
    pub fn text(&self) -> String {
        let Self { code, section, offset, count, message, .. } = self;
        // The message of an error has its place in it.
        let place = match (section, offset) {
            (Some(section), Some(offset)) if !self.is_error => format!("at byte {offset} ({}): ", clean(section)),
            _ => String::new(),
        };
        format!("[{code}] {place}{}{}", clean(message), and_more(*count))
    }
}

const SEVERITY: Column = text("severity").of(Values::OneOf(severities)).means("how much is wrong");
const CODE: Column = text("code").means("the code of the fault (skelmap explain CODE)");
const SECTION: Column = text("section").means("the section of the file");
const OFFSET: Column = integer("offset").nullable().means("the byte of the file");
const INDEX: Column = integer("index").nullable().means("the index of the record, from 0");
const COUNT: Column = integer("count").means("the number of records with this fault in the section");
const MESSAGE: Column = text("message").means("the fault in words");

/// The severities, from the worst.
pub fn severities() -> Vec<&'static str> {
    [Severity::Error, Severity::Warning, Severity::Note].map(Severity::code).to_vec()
}

/// The columns of a finding.
pub fn finding_fields() -> Vec<Field<Found>> {
    vec![
        field(PATH_COLUMN.flat(), |found: &Found| path(&found.place)),
        field(ENTRY_COLUMN.flat(), |found| found.place.entry().into()),
        field(ADDRESS_COLUMN.flat(), |found| address_cell(&found.place)),
        field(SEVERITY, |found| found.severity.code().into()),
        field(CODE, |found| found.code.into()),
        field(SECTION, |found| found.section.as_ref().into()),
        field(OFFSET, |found| found.offset.into()),
        field(INDEX, |found| found.index.into()),
        field(COUNT, |found| found.count.into()),
        field(MESSAGE, |found: &Found| (&found.message).into()),
    ]
}

/// The columns of a finding in a report that has a row for each, whatever the format.
pub fn row_fields() -> Vec<Field<Found>> {
    vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(PATH_COLUMN.data(), |found: &Found| path(&found.place)),
        field(ENTRY_COLUMN.data(), |found| found.place.entry().into()),
        field(ADDRESS_COLUMN.data(), |found| address_cell(&found.place)),
        field(SEVERITY, |found| found.severity.code().into()),
        field(CODE, |found| found.code.into()),
        field(SECTION.nullable().drop_order(4), |found| found.section.as_ref().into()),
        field(OFFSET.drop_order(3), |found| found.offset.into()),
        field(INDEX.drop_order(2), |found| found.index.into()),
        field(COUNT.drop_order(1), |found| found.count.into()),
        field(MESSAGE.data(), |found: &Found| (&found.message).into()),
        field(MESSAGE.look(Look::Notes).table(), |found| (&found.message).into()),
        field(ARCHIVE, |found| archive(&found.place)),
        field(PATH, |found| path_within(&found.place)),
    ]
}
