//! The XML of 0 A.D., read element by element. Only XML's own entities are accepted, and nothing is recursive, so time and
//! memory are linear in the text.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::from_utf8;
use std::string::{String, ToString};

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use thiserror::Error;

use crate::codes;
use crate::items::Fault;
use skelmap::shared::to_u64;

/// The maximum file size. The largest file of the game has 126 KiB.
pub(crate) const MAX_XML_BYTES: u64 = 1 << 20;

/// The longest value of an attribute, and the longest text of an element that names a file, in bytes. Those of the game have less than 200.
pub(super) const MAX_VALUE: usize = 1 << 10;

/// Why an XML file of a mod cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct XmlError {
    /// The byte at which the reader stopped.
    pub offset: u64,
    /// The fault as text.
    pub message: Cow<'static, str>,
}

impl XmlError {
    fn new(offset: u64, message: impl Into<Cow<'static, str>>) -> Self {
        Self { offset, message: message.into() }
    }
}

impl From<XmlError> for Fault {
    fn from(error: XmlError) -> Self {
        let XmlError { offset, message } = error;
        Self { offset: Some(offset), ..Self::new(codes::INVALID_XML, &format!("{message}, at byte {offset}")) }
    }
}

/// The nodes of a text.
pub(super) enum Node<'a> {
    Start(Element<'a>),
    End,
    /// A piece of text. A text may consist of several.
    Text(Cow<'a, str>),
}

/// The start of an element.
pub(super) struct Element<'a> {
    start: BytesStart<'a>,
    offset: u64,
}

impl Element<'_> {
    pub(super) fn name(&self) -> &[u8] {
        self.start.name().into_inner()
    }

    /// The value of an attribute; `None` if it is missing or empty. Values of more than 1 KiB are a fault.
    pub(super) fn attribute(&self, name: &str) -> Result<Option<String>, XmlError> {
        let fail = |error: &dyn Display| XmlError::new(self.offset, error.to_string());
        let Some(found) = self.start.try_get_attribute(name).map_err(|error| fail(&error))? else { return Ok(None) };
        let value = found.normalized_value(XmlVersion::Implicit1_0).map_err(|error| fail(&error))?;
        if value.len() > MAX_VALUE {
            return Err(self.fault(format!("has a {name} of {} bytes, more than 1,024", value.len())));
        }
        Ok(Some(value.trim().to_owned()).filter(|value| !value.is_empty()))
    }

    pub(super) fn fault(&self, message: impl Into<Cow<'static, str>>) -> XmlError {
        XmlError::new(self.offset, message)
    }
}

/// The nodes of a text.
pub(super) struct Nodes<'a> {
    reader: Reader<&'a [u8]>,
    /// The number of open elements.
    depth: usize,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, XmlError> {
        if to_u64(bytes.len()) > MAX_XML_BYTES {
            return Err(XmlError::new(MAX_XML_BYTES, "is larger than 1 MiB, the limit for such files"));
        }
        let text = from_utf8(bytes).map_err(|error| XmlError::new(to_u64(error.valid_up_to()), "is not UTF-8"))?;
        let mut reader = Reader::from_str(text.strip_prefix('\u{FEFF}').unwrap_or(text));
        reader.config_mut().expand_empty_elements = true;
        Ok(Self { reader, depth: 0 })
    }

    /// The next node; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Node<'a>>, XmlError> {
        loop {
            let offset = self.reader.buffer_position();
            let event = self.reader.read_event();
            let event = event.map_err(|error| XmlError::new(self.reader.error_position(), error.to_string()))?;
            return Ok(Some(match event {
                Event::Start(start) => {
                    self.depth = self.depth.saturating_add(1);
                    Node::Start(Element { start, offset })
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    Node::End
                }
                Event::Text(text) => {
                    Node::Text(text.decode().map_err(|error| XmlError::new(offset, error.to_string()))?)
                }
                Event::CData(text) => {
                    Node::Text(text.decode().map_err(|error| XmlError::new(offset, error.to_string()))?)
                }
                Event::GeneralRef(reference) => Node::Text(character(&reference, offset)?),
                Event::DocType(_) => return Err(XmlError::new(offset, "has a document type, which is not supported")),
                Event::Eof if self.depth > 0 => return Err(XmlError::new(offset, "ends inside of an element")),
                Event::Eof => return Ok(None),
                Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => continue,
            }));
        }
    }
}

/// The character of a reference.
fn character(reference: &BytesRef<'_>, offset: u64) -> Result<Cow<'static, str>, XmlError> {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return Ok(character.to_string().into());
    }
    let known = from_utf8(reference).ok().and_then(resolve_predefined_entity);
    known.map(Cow::Borrowed).ok_or_else(|| XmlError::new(offset, "has an entity that XML does not define"))
}
