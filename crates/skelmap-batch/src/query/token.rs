//! The words of an expression.

use super::error::{ExpressionError, syntax};

/// One word of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Name(String),
    Number(f64),
    Text(String),
    /// One of [`SIGNS`].
    Sign(&'static str),
}

/// What stands between names and values. A sign stands before those that it begins with.
const SIGNS: [&str; 13] = ["==", "!=", "!~", "<=", ">=", "&&", "||", "<", ">", "~", "!", "(", ")"];

/// Words that other languages have, and what stands here for them.
const FOREIGN: [(&str, &str); 5] = [("=", "=="), ("&", "&&"), ("|", "||"), ("-", "a number"), ("\\", "a text")];

/// Splits an expression into words.
///
/// # Errors
/// A sentence, if a part of the text is no word.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ExpressionError> {
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            '"' | '\'' => quoted(rest, first)?,
            c if c.is_ascii_digit() || c == '.' || is_negative(rest) => number(rest)?,
            c if is_letter(c) => {
                let length = rest.find(|c: char| !is_letter(c) && !c.is_ascii_digit()).unwrap_or(rest.len());
                (Token::Name(rest.get(..length).unwrap_or_default().to_owned()), length)
            }
            _ => sign(rest)?,
        };
        tokens.push(token);
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    Ok(tokens)
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_negative(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
}

fn quoted(text: &str, quote: char) -> Result<(Token, usize), ExpressionError> {
    let inner = text.get(1..).and_then(|rest| rest.split_once(quote)).map(|(inner, _)| inner);
    let inner = inner.ok_or_else(|| syntax(format!("the text {text} has no second {quote}")))?;
    Ok((Token::Text(inner.to_owned()), inner.len() + 2))
}

/// A number, which may end in K, M or G (times 1024).
fn number(text: &str) -> Result<(Token, usize), ExpressionError> {
    let is_exponent = |at: usize| text.get(..at).is_some_and(|before| before.ends_with(['e', 'E']));
    let is_part = |at: usize, c: char| {
        c.is_ascii_alphanumeric() || c == '.' || (c == '-' && at == 0) || ("+-".contains(c) && is_exponent(at))
    };
    let length = text.char_indices().find(|(at, c)| !is_part(*at, *c)).map_or(text.len(), |(at, _)| at);
    let word = text.get(..length).unwrap_or_default();
    let digits = word.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    let unit = match word.get(digits.len()..).unwrap_or_default() {
        "" => Some(1_u32),
        "k" | "K" => Some(1 << 10),
        "m" | "M" => Some(1 << 20),
        "g" | "G" => Some(1 << 30),
        _ => None,
    };
    let number = digits.parse::<f64>().ok().filter(|number| number.is_finite()).zip(unit);
    let (number, unit) = number.ok_or_else(|| syntax(format!("{word:?} is no number")))?;
    Ok((Token::Number(number * f64::from(unit)), length))
}

fn sign(text: &str) -> Result<(Token, usize), ExpressionError> {
    if let Some(sign) = SIGNS.iter().find(|sign| text.starts_with(**sign)) {
        return Ok((Token::Sign(sign), sign.len()));
    }
    let expected = FOREIGN.iter().find(|(word, _)| text.starts_with(word));
    let expected = expected.map(|(_, own)| format!("; did you mean {own}?")).unwrap_or_default();
    let first: String = text.chars().take(1).collect();
    Err(syntax(format!("{first:?} means nothing here{expected}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units_and_texts_either_quote() {
        let tokens = tokens("-1.5e-2 2K 'a \"b\"' \"it's\"").unwrap();
        let text = |text: &str| Token::Text(text.to_owned());
        assert_eq!(tokens, [Token::Number(-0.015), Token::Number(2048.0), text("a \"b\""), text("it's")]);
    }

    #[test]
    fn signs_and_units_of_numbers_are_read_as_far_as_they_belong_to_them() {
        let numbers = |text: &str| {
            let number = |token| if let Token::Number(number) = token { number } else { f64::NAN };
            tokens(text).unwrap().into_iter().map(number).collect::<Vec<f64>>()
        };
        assert_eq!(numbers("-.5 .5"), [-0.5, 0.5]);
        assert_eq!(numbers("5-3"), [5.0, -3.0]);
        assert_eq!(numbers("1e-1 1E+2"), [0.1, 100.0]);
        assert_eq!(numbers("3k 3m 3M 3g 3G"), [3072.0, 3_145_728.0, 3_145_728.0, 3_221_225_472.0, 3_221_225_472.0]);
    }
}
