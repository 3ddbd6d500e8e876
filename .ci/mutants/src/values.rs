//! Constants in place of the body of a function, by its return type.

use quote::quote;
use syn::{Expr, GenericArgument, Path, PathArguments, ReturnType, Type, parse_quote};

/// What a function may return in place of its result; `None` if it returns nothing.
pub fn of_return(output: &ReturnType) -> Vec<Option<Expr>> {
    match output {
        ReturnType::Default => vec![None],
        ReturnType::Type(_, of) => of_type(of).into_iter().map(Some).collect(),
    }
}

fn of_type(of: &Type) -> Vec<Expr> {
    match of {
        Type::Path(path) if path.qself.is_none() => of_path(&path.path),
        Type::Tuple(tuple) if tuple.elems.is_empty() => vec![parse_quote!(())],
        Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => vec![parse_quote!("")],
            Type::Slice(_) => vec![parse_quote!(&[])],
            _ => Vec::new(),
        },
        Type::Array(_) | Type::Tuple(_) => vec![parse_quote!(Default::default())],
        Type::Paren(inner) => of_type(&inner.elem),
        _ => Vec::new(),
    }
}

fn of_path(path: &Path) -> Vec<Expr> {
    let Some(last) = path.segments.last() else { return Vec::new() };
    let inner = || match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(of) => Some(of_type(of)),
            _ => None,
        }),
        _ => None,
    };
    match last.ident.to_string().as_str() {
        "bool" => vec![parse_quote!(true), parse_quote!(false)],
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => {
            vec![parse_quote!(0), parse_quote!(1)]
        }
        "f32" | "f64" => vec![parse_quote!(0.0), parse_quote!(1.0)],
        "String" | "Vec" => vec![parse_quote!(Default::default())],
        "Option" => {
            let some = inner().unwrap_or_default().into_iter().map(|value| parse_quote!(Some(#value)));
            std::iter::once(parse_quote!(None)).chain(some).collect()
        }
        "Result" => match inner() {
            Some(values) if !values.is_empty() => values.into_iter().map(|value| parse_quote!(Ok(#value))).collect(),
            _ => vec![parse_quote!(Ok(Default::default()))],
        },
        _ => vec![parse_quote!(Default::default())],
    }
}

/// A literal as a number that is neither 0 nor 1.
pub fn doubled(literal: &syn::Lit) -> Option<Expr> {
    let text = match literal {
        syn::Lit::Int(number) => {
            let value: u128 = number.base10_parse().ok()?;
            (value > 1).then(|| format!("{}{}", value.checked_mul(2).unwrap_or(value), number.suffix()))?
        }
        syn::Lit::Float(number) => {
            let value: f64 = number.base10_parse().ok()?;
            let twice = value * 2.0;
            (value != 0.0 && value != 1.0 && twice.is_finite()).then(|| format!("{twice:?}{}", number.suffix()))?
        }
        _ => return None,
    };
    syn::parse_str(&text).ok()
}

/// An expression without the blanks between its tokens, for a description.
pub fn text_of(expression: &Expr) -> String {
    let text: String = quote!(#expression).to_string();
    let short: String = text.chars().take(60).collect();
    if short.len() < text.len() { format!("{short}...") } else { short }
}
