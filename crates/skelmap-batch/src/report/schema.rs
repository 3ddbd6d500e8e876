//! The JSON Schema of outputs, made of the columns that are declared beside their writers.

use super::cell::Cell;
use super::column::{Column, Values};

/// One output of a command: the keys of a JSON object.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "an output and its columns")]
pub struct Definition {
    /// The name in the schema: `catalog-sequence`.
    pub name: &'static str,
    /// The command: `catalog --per sequence`.
    pub command: &'static str,
    /// The object that is described.
    pub meaning: &'static str,
    /// The columns; those without JSON are left out.
    pub columns: Vec<Column>,
}

type Keys = Vec<(&'static str, Cell<'static>)>;

/// The JSON Schema of outputs. An output without columns has any keys with plain values.
pub fn schema(definitions: &[Definition]) -> Cell<'static> {
    let mut shared = Keys::new();
    let of_definition = |definition: &Definition| {
        let mut keys: Keys = vec![("type", "object".into()), ("description", definition.meaning.into())];
        if definition.columns.is_empty() {
            let plain = || ["number", "string", "boolean", "null"].into_iter();
            let plain = Cell::Object(vec![("type", Cell::list(plain))]);
            keys.extend([("additionalProperties", plain), ("minProperties", 1_u64.into())]);
        } else {
            keys.extend(object(&definition.columns, &mut shared));
        }
        (definition.name, Cell::Object(keys))
    };
    let mut own: Keys = definitions.iter().map(of_definition).collect();
    shared.append(&mut own);
    Cell::Object(vec![
        ("$schema", "https://json-schema.org/draft/2020-12/schema".into()),
        ("title", "JSON of the command skelmap".into()),
        (
            "description",
            "Each output has a definition: #/$defs/ls is that of a line of `skelmap ls --format jsonl`. Keys are never left out, unless \
             their definition does not require them or --columns asks for some only; a key that does not apply is null. \
             `skelmap columns --format schema` prints this file."
                .into(),
        ),
        ("$defs", Cell::Object(shared)),
    ])
}

/// The properties of an object.
fn object(columns: &[Column], shared: &mut Keys) -> Keys {
    let columns: Vec<&Column> = columns.iter().filter(|column| column.is_in_json()).collect();
    let properties = columns.iter().map(|column| (column.key, value(column, shared))).collect();
    let required: Vec<_> = columns.iter().filter(|column| !column.is_optional).map(|column| column.key).collect();
    vec![
        ("properties", Cell::Object(properties)),
        ("required", Cell::list(move || required.clone().into_iter())),
        ("additionalProperties", false.into()),
    ]
}

/// The values of a column.
fn value(column: &Column, shared: &mut Keys) -> Cell<'static> {
    let is_nullable = column.is_nullable;
    let typed = |name: &'static str| {
        let of_null = move || [name, "null"].into_iter();
        ("type", if is_nullable { Cell::list(of_null) } else { name.into() })
    };
    let mut keys: Keys = match column.values {
        Values::Text => vec![typed("string")],
        Values::OneOf(texts) => {
            let all = move || texts().into_iter().map(Cell::from).chain(is_nullable.then_some(Cell::Absent));
            vec![("enum", Cell::list(all))]
        }
        Values::Bool => vec![typed("boolean")],
        Values::Exactly(number) => vec![("const", number.into())],
        Values::Integer => vec![typed("integer")],
        Values::AtLeast(least) => vec![typed("integer"), ("minimum", least.into())],
        Values::Number => vec![typed("number")],
        Values::Size => vec![typed("number"), ("minimum", 0_u64.into())],
        Values::List(item) => vec![typed("array"), ("items", value(item, shared))],
        Values::Array(count, item) => {
            let items = value(item, shared);
            vec![typed("array"), ("items", items), ("minItems", count.into()), ("maxItems", count.into())]
        }
        Values::Row(columns) => [vec![typed("object")], object(columns, shared)].into_iter().flatten().collect(),
        Values::Rows(columns) => {
            let items = [vec![("type", "object".into())], object(columns, shared)].into_iter().flatten().collect();
            vec![typed("array"), ("items", Cell::Object(items))]
        }
        Values::Object(columns) => [vec![typed("object")], object(&columns(), shared)].into_iter().flatten().collect(),
        Values::Shared(name, columns) => {
            if shared.iter().all(|(own, _)| *own != name) {
                let own = value(&column.of(Values::Object(columns)), shared);
                shared.push((name, own));
            }
            return Cell::Object(vec![("$ref", format!("#/$defs/{name}").into())]);
        }
    };
    let description = match column.unit {
        Some(unit) => format!("{}, in {unit}", column.meaning),
        None => column.meaning.to_owned(),
    };
    if !description.is_empty() {
        keys.push(("description", description.into()));
    }
    Cell::Object(keys)
}

impl Values {
    /// The type in words: `one of added, removed`.
    pub fn in_words(self) -> String {
        let item =
            |item: &Column| format!("{}{}", item.values.in_words(), if item.is_nullable { " or null" } else { "" });
        match self {
            Self::Text => "text".to_owned(),
            Self::OneOf(texts) => format!("one of {}", texts().join(", ")),
            Self::Bool => "true or false".to_owned(),
            Self::Exactly(number) => number.to_string(),
            Self::Integer => "integer".to_owned(),
            Self::AtLeast(least) => format!("integer from {least}"),
            Self::Number => "number".to_owned(),
            Self::Size => "number from 0".to_owned(),
            Self::List(column) => format!("list of {}", item(column)),
            Self::Array(count, column) => format!("list of {count} {}", item(column)),
            Self::Row(_) | Self::Object(_) | Self::Shared(..) => "object".to_owned(),
            Self::Rows(_) => "list of object".to_owned(),
        }
    }

    /// The keys of an object, or of the objects in a list.
    pub fn keys(self) -> Option<Vec<Column>> {
        match self {
            Self::Row(columns) | Self::Rows(columns) => Some(columns.to_vec()),
            Self::Object(columns) | Self::Shared(_, columns) => Some(columns()),
            Self::List(item) | Self::Array(_, item) => item.values.keys(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::column::{integer, list, nested, text};
    use super::*;

    const INNER: [Column; 2] = [text("name"), integer("bones")];
    const NUMBER: Column = integer("number");
    const OBJECT: Column = nested("object", || INNER.to_vec());

    #[test]
    fn objects_and_lists_of_them_have_keys_and_other_values_have_none() {
        let keys = |values: Values| values.keys().map(|keys| keys.iter().map(|own| own.key).collect::<Vec<_>>());
        for values in [
            Values::Row(&INNER),
            Values::Rows(&INNER),
            Values::Object(|| INNER.to_vec()),
            Values::Shared("shared", || INNER.to_vec()),
            Values::List(&OBJECT),
            Values::Array(3, &OBJECT),
            // The items of items.
            list("list", &OBJECT).values,
        ] {
            assert_eq!(keys(values), Some(vec!["name", "bones"]), "{values:?}");
        }
        let texts = || vec!["a"];
        for values in [
            Values::Text,
            Values::OneOf(texts),
            Values::Bool,
            Values::Exactly(1),
            Values::Integer,
            Values::AtLeast(0),
            Values::Number,
            Values::Size,
            Values::List(&NUMBER),
            Values::Array(3, &NUMBER),
        ] {
            assert_eq!(keys(values), None, "{values:?}");
        }
    }
}
