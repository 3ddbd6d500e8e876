//! Expressions over the columns of a row: `bones > 50 && path ~ "horse"`.

use std::cmp::Ordering;

use globset::{GlobBuilder, GlobMatcher};

use super::error::{ExpressionError, syntax};
use super::names::{Name, Names};
use super::token::{Token, tokens};
use crate::report::{Cell, Column, Kind, Values};

/// The most parentheses and negations around one part of an expression.
const DEEPEST: usize = 64;

/// What is asked of a row.
#[derive(Debug)]
pub(crate) enum Expression {
    All(Vec<Expression>),
    Any(Vec<Expression>),
    Not(Box<Expression>),
    /// Whether there is a value.
    There(Operand),
    /// Whether two values have this order (`<`).
    Compared(Operand, &'static str, Operand),
    /// Whether there is none.
    Null(Operand),
    /// Whether a text is like a pattern, or is not (`false`).
    Like(Operand, bool, Pattern),
}

#[derive(Debug)]
pub(crate) enum Operand {
    Column(Name),
    Literal(Cell<'static>),
}

/// What a text is compared with, ignoring the case of letters.
#[derive(Debug)]
pub(crate) enum Pattern {
    /// The whole text.
    Glob(Box<GlobMatcher>),
    /// A part of it, in lower case.
    Part(String),
}

impl Pattern {
    fn new(text: &str) -> Result<Self, ExpressionError> {
        if !text.contains(['*', '?', '[']) {
            return Ok(Self::Part(text.to_lowercase()));
        }
        let glob = GlobBuilder::new(text).case_insensitive(true).build();
        glob.map(|glob| Self::Glob(Box::new(glob.compile_matcher()))).map_err(syntax)
    }

    fn is_like(&self, text: &str) -> bool {
        match self {
            Self::Glob(glob) => glob.is_match(text),
            Self::Part(part) => text.to_lowercase().contains(part.as_str()),
        }
    }
}

impl Operand {
    fn value<'v>(&'v self, value_of: &dyn Fn(Name) -> Cell<'v>) -> Cell<'v> {
        match self {
            Self::Column(name) => value_of(*name),
            Self::Literal(Cell::Text(text)) => Cell::from(&**text),
            Self::Literal(Cell::Double(number)) => Cell::Double(*number),
            Self::Literal(Cell::Bool(value)) => Cell::Bool(*value),
            Self::Literal(_) => Cell::Absent,
        }
    }
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub(crate) fn parse(text: &str, names: &Names) -> Result<Self, ExpressionError> {
        let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0, names };
        let expression = parser.any()?;
        match parser.tokens.get(parser.next) {
            None => Ok(expression),
            Some(token) => {
                Err(syntax(foreign(token).unwrap_or_else(|| format!("expected && or || before {}", shown(token)))))
            }
        }
    }

    /// Whether a row is asked for.
    pub(crate) fn holds<'v>(&'v self, value_of: &dyn Fn(Name) -> Cell<'v>) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(value_of)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(value_of)),
            Self::Not(part) => !part.holds(value_of),
            Self::There(operand) => match operand.value(value_of) {
                Cell::Absent | Cell::Bool(false) => false,
                Cell::List(items) => items().next().is_some(),
                _ => true,
            },
            Self::Compared(one, sign, other) => compared(&one.value(value_of), sign, &other.value(value_of)),
            Self::Null(operand) => matches!(operand.value(value_of), Cell::Absent),
            Self::Like(operand, is_wanted, pattern) => match operand.value(value_of) {
                Cell::Text(text) => pattern.is_like(&text) == *is_wanted,
                Cell::List(items) => items().any(|item| pattern.is_like(&item.to_string())) == *is_wanted,
                _ => false,
            },
        }
    }
}

/// Compares two values. A null compares to nothing. A list compares as one of its texts does.
fn compared(one: &Cell<'_>, sign: &str, other: &Cell<'_>) -> bool {
    if let Cell::List(items) = one {
        let any = |sign| items().any(|item| compared(&Cell::display(item), sign, other));
        return if sign == "!=" { !any("==") } else { any(sign) };
    }
    let order = match (one, other) {
        (Cell::Text(one), Cell::Text(other)) => Some(one.cmp(other)),
        (Cell::Bool(one), Cell::Bool(other)) => Some(one.cmp(other)),
        _ => one.number().zip(other.number()).and_then(|(one, other)| one.partial_cmp(&other)),
    };
    order.is_some_and(match sign {
        "==" => Ordering::is_eq,
        "!=" => Ordering::is_ne,
        "<" => Ordering::is_lt,
        "<=" => Ordering::is_le,
        ">" => Ordering::is_gt,
        _ => Ordering::is_ge,
    })
}

/// What stands for a word of another language.
fn foreign(token: &Token) -> Option<String> {
    let Token::Name(name) = token else { return None };
    let words = [("and", "&&"), ("or", "||"), ("not", "!")];
    let (word, sign) = words.into_iter().find(|(word, _)| name.eq_ignore_ascii_case(word))?;
    Some(format!("{word} is written as {sign}"))
}

/// A token for people.
fn shown(token: &Token) -> String {
    match token {
        Token::Name(name) => name.clone(),
        Token::Number(number) => number.to_string(),
        Token::Text(text) => format!("{text:?}"),
        Token::Sign(sign) => (*sign).to_owned(),
    }
}

struct Parser<'n> {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    names: &'n Names,
}

impl Parser<'_> {
    /// The next token, if it is one of these signs.
    fn take(&mut self, signs: &[&str]) -> Option<&'static str> {
        let Some(Token::Sign(sign)) = self.tokens.get(self.next) else { return None };
        signs.contains(sign).then(|| {
            self.next += 1;
            *sign
        })
    }

    /// Parts with `||` between them.
    fn any(&mut self) -> Result<Expression, ExpressionError> {
        let mut parts = vec![self.all()?];
        while self.take(&["||"]).is_some() {
            parts.push(self.all()?);
        }
        Ok(Expression::Any(parts))
    }

    /// Parts with `&&` between them.
    fn all(&mut self) -> Result<Expression, ExpressionError> {
        let mut parts = vec![self.part()?];
        while self.take(&["&&"]).is_some() {
            parts.push(self.part()?);
        }
        Ok(Expression::All(parts))
    }

    fn part(&mut self) -> Result<Expression, ExpressionError> {
        let Some(sign) = self.take(&["!", "("]) else { return self.comparison() };
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(syntax(format!("more than {DEEPEST} parentheses and ! in each other")));
        }
        let part = if sign == "!" {
            let part = self.part()?;
            // `!bones > 5` would be read as `!(bones > 5)` here and as `(!bones) > 5` in other languages.
            let is_alone = matches!(part, Expression::There(_) | Expression::Not(_));
            if !is_alone && !self.has_closed() {
                return Err(syntax("after !, a comparison needs parentheses: !(bones > 5)"));
            }
            Ok(Expression::Not(Box::new(part)))
        } else {
            let inner = self.any()?;
            self.take(&[")"]).map(|_| inner).ok_or_else(|| syntax("a ( has no )"))
        };
        self.depth -= 1;
        part
    }

    /// Whether the last token is a closing parenthesis.
    fn has_closed(&self) -> bool {
        self.next.checked_sub(1).and_then(|last| self.tokens.get(last)) == Some(&Token::Sign(")"))
    }

    fn comparison(&mut self) -> Result<Expression, ExpressionError> {
        let one = self.operand()?;
        let Some(sign) = self.take(&["==", "!=", "<", "<=", ">", ">=", "~", "!~"]) else {
            return match one {
                Operand::Column(_) => Ok(Expression::There(one)),
                Operand::Literal(_) => Err(syntax("a value alone asks nothing: expected a column and a comparison")),
            };
        };
        let other = self.operand()?;
        self.related(one, sign, other)
    }

    fn operand(&mut self) -> Result<Operand, ExpressionError> {
        let token = self.tokens.get(self.next).cloned();
        self.next += 1;
        Ok(Operand::Literal(match token {
            Some(Token::Name(name)) => match name.as_str() {
                "true" => Cell::Bool(true),
                "false" => Cell::Bool(false),
                "null" => Cell::Absent,
                _ => match (self.names.find(&name), foreign(&Token::Name(name))) {
                    (Err(_), Some(message)) => return Err(syntax(message)),
                    (found, _) => return Ok(Operand::Column(found?)),
                },
            },
            Some(Token::Number(number)) => Cell::Double(number),
            Some(Token::Text(text)) => text.into(),
            Some(token) => return Err(syntax(format!("expected a column before {}", shown(&token)))),
            None => return Err(syntax("expected a column at the end")),
        }))
    }

    /// A comparison of two operands that can be compared.
    fn related(&self, one: Operand, sign: &'static str, other: Operand) -> Result<Expression, ExpressionError> {
        let is_text = |operand: &Operand| match operand {
            Operand::Column(name) => {
                self.names.column(*name).map(|column| matches!(column.kind, Kind::Text | Kind::Texts))
            }
            Operand::Literal(Cell::Text(_)) => Some(true),
            Operand::Literal(Cell::Double(_)) => Some(false),
            Operand::Literal(_) => None,
        };
        match (one, sign, other) {
            (one, "==", Operand::Literal(Cell::Absent)) => Ok(Expression::Null(one)),
            (one, "!=", Operand::Literal(Cell::Absent)) => Ok(Expression::Not(Box::new(Expression::Null(one)))),
            (_, _, Operand::Literal(Cell::Absent)) | (Operand::Literal(Cell::Absent), ..) => {
                Err(syntax("null is compared as in error == null or error != null"))
            }
            (one, "~" | "!~", Operand::Literal(Cell::Text(text))) => {
                if is_text(&one) != Some(true) {
                    return Err(syntax(format!("{sign} compares texts, and the left side is none")));
                }
                Ok(Expression::Like(one, sign == "~", Pattern::new(&text)?))
            }
            (_, "~" | "!~", _) => Err(syntax(format!("expected a text after {sign}"))),
            (one, _, other) => {
                if let (Some(left), Some(right)) = (is_text(&one), is_text(&other)) {
                    if left != right {
                        let kind = |is_text| if is_text { "a text" } else { "a number" };
                        return Err(syntax(format!("{} is compared with {} ({sign})", kind(left), kind(right))));
                    }
                }
                self.check_known(&one, sign, &other)?;
                Ok(Expression::Compared(one, sign, other))
            }
        }
    }

    /// An error if a column never has a text that it is compared with.
    fn check_known(&self, one: &Operand, sign: &str, other: &Operand) -> Result<(), ExpressionError> {
        let (Operand::Column(name), "==" | "!=", Operand::Literal(Cell::Text(text))) = (one, sign, other) else {
            return Ok(());
        };
        match self.names.column(*name) {
            Some(Column { key, values: Values::OneOf(texts), .. }) if !texts().contains(&&**text) => {
                let known = texts().join(", ");
                Err(syntax(format!("{key} is one of {known}; {key} ~ {text:?} asks for a part of it")))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{boolean, field, integer};

    /// Whether an expression holds for a number of bones, and for whether there are any.
    fn holds(text: &str, bones: u64) -> Result<bool, ExpressionError> {
        let fields = [integer("bones"), boolean("has_bones")].map(|column| field(column, |(): &()| Cell::Absent));
        let expression = Expression::parse(text, &Names::of(&fields))?;
        let value = |name| if name == Name::At(0) { Cell::Count(bones) } else { Cell::Bool(bones > 0) };
        Ok(expression.holds(&value))
    }

    #[test]
    fn each_sign_compares_as_in_arithmetic() {
        let expected = [
            ("==", [false, true, false]),
            ("!=", [true, false, true]),
            ("<", [true, false, false]),
            ("<=", [true, true, false]),
            (">", [false, false, true]),
            (">=", [false, true, true]),
        ];
        for (sign, expected) in expected {
            let found = [1, 2, 3].map(|bones| holds(&format!("bones {sign} 2"), bones));
            assert_eq!(found, expected.map(Ok), "{sign}");
        }
    }

    #[test]
    fn a_yes_or_no_is_compared_with_true_and_false() {
        for (text, expected) in [
            ("has_bones == true", [false, true]),
            ("has_bones == false", [true, false]),
            ("has_bones != true", [true, false]),
            ("has_bones > false", [false, true]),
        ] {
            assert_eq!([0, 1].map(|bones| holds(text, bones)), expected.map(Ok), "{text}");
        }
    }

    #[test]
    fn as_many_parentheses_as_the_limit_may_stand_in_each_other() {
        let within = |depth: usize| format!("{}bones{}", "(".repeat(depth), ")".repeat(depth));
        let not = |depth: usize| format!("{}bones", "!".repeat(depth));
        let beside = |depth: usize| [within(depth), within(depth)].join(" && ");
        for text in [within(DEEPEST), not(DEEPEST), beside(DEEPEST)] {
            assert_eq!(holds(&text, 1), Ok(true), "{text}");
        }
        for text in [within(DEEPEST + 1), not(DEEPEST + 1)] {
            assert!(
                matches!(holds(&text, 1), Err(ExpressionError::Syntax(message)) if message.starts_with("more than 64 "))
            );
        }
    }
}
