//! Expressions over the columns of a row: `bones > 50 && path ~ "horse"`.

use std::cmp::Ordering;

use globset::{GlobBuilder, GlobMatcher};

use super::names::{Name, Names, NoColumn};
use super::token::{Comparison, Sign, Token, spelled, tokens};
use super::value::Value;
use crate::report::Kind;

/// The most parentheses and negations around one part of an expression.
const DEEPEST: usize = 64;

/// Why an expression means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpressionError {
    /// A column that is not there.
    #[error(transparent)]
    NoColumn(#[from] NoColumn),
    /// Words that are no expression, or a comparison of values of two kinds.
    #[error("{0}")]
    Syntax(String),
}

#[expect(clippy::needless_pass_by_value, reason = "errors and texts are given as they come")]
pub(super) fn syntax(message: impl ToString) -> ExpressionError {
    ExpressionError::Syntax(message.to_string())
}

/// What is asked of a row.
#[derive(Debug)]
pub(crate) enum Expression {
    All(Vec<Expression>),
    Any(Vec<Expression>),
    Not(Box<Expression>),
    /// Whether there is a value.
    There(Operand),
    Compared(Operand, Comparison, Operand),
    /// Whether there is none.
    Null(Operand),
    /// Whether a text is like a pattern, or is not (`false`).
    Like(Operand, bool, Pattern),
}

#[derive(Debug)]
pub(crate) enum Operand {
    Column(Name),
    Literal(Value),
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
    fn value(&self, value_of: &dyn Fn(Name) -> Value) -> Value {
        match self {
            Self::Column(name) => value_of(*name),
            Self::Literal(value) => value.clone(),
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
    pub(crate) fn holds(&self, value_of: &dyn Fn(Name) -> Value) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(value_of)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(value_of)),
            Self::Not(part) => !part.holds(value_of),
            Self::There(operand) => operand.value(value_of).is_there(),
            Self::Compared(one, comparison, other) => {
                compared(&one.value(value_of), *comparison, &other.value(value_of))
            }
            Self::Null(operand) => operand.value(value_of) == Value::Null,
            Self::Like(operand, is_wanted, pattern) => match operand.value(value_of) {
                Value::Text(text) => pattern.is_like(&text) == *is_wanted,
                Value::List(items) => items.iter().any(|item| pattern.is_like(item)) == *is_wanted,
                _ => false,
            },
        }
    }
}

/// Compares two values. A null compares to nothing. A list compares as one of its texts does.
fn compared(one: &Value, comparison: Comparison, other: &Value) -> bool {
    let is = |test: fn(Ordering) -> bool| one.compare(other).is_some_and(test);
    match (one, other) {
        (Value::List(items), other) => {
            let any = |comparison| items.iter().any(|item| compared(&Value::Text(item.clone()), comparison, other));
            if comparison == Comparison::Unequal { !any(Comparison::Equal) } else { any(comparison) }
        }
        _ => match comparison {
            Comparison::Equal => is(Ordering::is_eq),
            Comparison::Unequal => is(Ordering::is_ne),
            Comparison::Less => is(Ordering::is_lt),
            Comparison::LessOrEqual => is(Ordering::is_le),
            Comparison::Greater => is(Ordering::is_gt),
            Comparison::GreaterOrEqual => is(Ordering::is_ge),
            Comparison::Like | Comparison::Unlike => false,
        },
    }
}

/// What stands for a word of another language.
fn foreign(token: &Token) -> Option<String> {
    let Token::Name(name) = token else { return None };
    let words = [("and", Sign::And), ("or", Sign::Or), ("not", Sign::Not)];
    let (word, sign) = words.into_iter().find(|(word, _)| name.eq_ignore_ascii_case(word))?;
    Some(format!("{word} is written as {}", spelled(sign)))
}

/// A token for people.
fn shown(token: &Token) -> String {
    match token {
        Token::Name(name) => name.clone(),
        Token::Number(number) => number.to_string(),
        Token::Text(text) => format!("{text:?}"),
        Token::Sign(sign) => spelled(*sign).to_owned(),
    }
}

struct Parser<'n> {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    names: &'n Names,
}

impl Parser<'_> {
    fn take(&mut self, sign: Sign) -> bool {
        let is_next = self.tokens.get(self.next) == Some(&Token::Sign(sign));
        self.next += usize::from(is_next);
        is_next
    }

    fn take_comparison(&mut self) -> Option<Comparison> {
        let Some(Token::Sign(Sign::Compare(comparison))) = self.tokens.get(self.next) else { return None };
        self.next += 1;
        Some(*comparison)
    }

    /// Parts with `||` between them.
    fn any(&mut self) -> Result<Expression, ExpressionError> {
        let mut parts = vec![self.all()?];
        while self.take(Sign::Or) {
            parts.push(self.all()?);
        }
        Ok(one_or(parts, Expression::Any))
    }

    /// Parts with `&&` between them.
    fn all(&mut self) -> Result<Expression, ExpressionError> {
        let mut parts = vec![self.part()?];
        while self.take(Sign::And) {
            parts.push(self.part()?);
        }
        Ok(one_or(parts, Expression::All))
    }

    fn part(&mut self) -> Result<Expression, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(syntax(format!("more than {DEEPEST} parentheses and ! in each other")));
        }
        let part = if self.take(Sign::Not) {
            let part = self.part()?;
            // `!bones > 5` would be read as `!(bones > 5)` here and as `(!bones) > 5` in other languages.
            let is_alone = matches!(part, Expression::There(_) | Expression::Not(_));
            if !is_alone && !self.has_closed() {
                return Err(syntax("after !, a comparison needs parentheses: !(bones > 5)"));
            }
            Ok(Expression::Not(Box::new(part)))
        } else if self.take(Sign::Open) {
            let inner = self.any()?;
            if self.take(Sign::Close) { Ok(inner) } else { Err(syntax("a ( has no )")) }
        } else {
            self.comparison()
        };
        self.depth -= 1;
        part
    }

    /// Whether the last token is a closing parenthesis.
    fn has_closed(&self) -> bool {
        self.next.checked_sub(1).and_then(|last| self.tokens.get(last)) == Some(&Token::Sign(Sign::Close))
    }

    fn comparison(&mut self) -> Result<Expression, ExpressionError> {
        let one = self.operand()?;
        let Some(comparison) = self.take_comparison() else {
            return match one {
                Operand::Column(_) => Ok(Expression::There(one)),
                Operand::Literal(_) => Err(syntax("a value alone asks nothing: expected a column and a comparison")),
            };
        };
        let other = self.operand()?;
        self.related(one, comparison, other)
    }

    fn operand(&mut self) -> Result<Operand, ExpressionError> {
        let token = self.tokens.get(self.next).cloned();
        self.next += 1;
        Ok(match token {
            Some(Token::Name(name)) => match name.as_str() {
                "true" => Operand::Literal(Value::Bool(true)),
                "false" => Operand::Literal(Value::Bool(false)),
                "null" => Operand::Literal(Value::Null),
                _ => match (self.names.find(&name), foreign(&Token::Name(name))) {
                    (Err(_), Some(message)) => return Err(syntax(message)),
                    (found, _) => Operand::Column(found?),
                },
            },
            Some(Token::Number(number)) => Operand::Literal(Value::Number(number)),
            Some(Token::Text(text)) => Operand::Literal(Value::Text(text)),
            Some(token) => return Err(syntax(format!("expected a column before {}", shown(&token)))),
            None => return Err(syntax("expected a column at the end")),
        })
    }

    /// A comparison of two operands that can be compared.
    fn related(&self, one: Operand, comparison: Comparison, other: Operand) -> Result<Expression, ExpressionError> {
        let sign = spelled(Sign::Compare(comparison));
        let is_text = |operand: &Operand| match operand {
            Operand::Column(name) => Some(matches!(self.names.kind(*name), Kind::Text | Kind::Texts)),
            Operand::Literal(Value::Text(_)) => Some(true),
            Operand::Literal(Value::Number(_)) => Some(false),
            Operand::Literal(_) => None,
        };
        match (one, comparison, other) {
            (one, Comparison::Equal, Operand::Literal(Value::Null)) => Ok(Expression::Null(one)),
            (one, Comparison::Unequal, Operand::Literal(Value::Null)) => {
                Ok(Expression::Not(Box::new(Expression::Null(one))))
            }
            (_, _, Operand::Literal(Value::Null)) | (Operand::Literal(Value::Null), ..) => {
                Err(syntax("null is compared as in error == null or error != null"))
            }
            (one, Comparison::Like | Comparison::Unlike, Operand::Literal(Value::Text(text))) => {
                if is_text(&one) != Some(true) {
                    return Err(syntax(format!("{sign} compares texts, and the left side is none")));
                }
                Ok(Expression::Like(one, comparison == Comparison::Like, Pattern::new(&text)?))
            }
            (_, Comparison::Like | Comparison::Unlike, _) => Err(syntax(format!("expected a text after {sign}"))),
            (one, _, other) => {
                if let (Some(left), Some(right)) = (is_text(&one), is_text(&other)) {
                    if left != right {
                        let kind = |is_text| if is_text { "a text" } else { "a number" };
                        return Err(syntax(format!("{} is compared with {} ({sign})", kind(left), kind(right))));
                    }
                }
                self.check_known(&one, comparison, &other)?;
                Ok(Expression::Compared(one, comparison, other))
            }
        }
    }

    /// An error if a column never has a text that it is compared with.
    fn check_known(&self, one: &Operand, comparison: Comparison, other: &Operand) -> Result<(), ExpressionError> {
        let is_equal = matches!(comparison, Comparison::Equal | Comparison::Unequal);
        let (Operand::Column(name), Operand::Literal(Value::Text(text)), true) = (one, other, is_equal) else {
            return Ok(());
        };
        match self.names.texts_of(*name) {
            Some(known) if !known.contains(&text.as_str()) => {
                let key = self.names.key(*name);
                Err(syntax(format!("{key} is one of {}; {key} ~ {text:?} asks for a part of it", known.join(", "))))
            }
            _ => Ok(()),
        }
    }
}

/// The only part, or all of them together.
fn one_or(mut parts: Vec<Expression>, together: fn(Vec<Expression>) -> Expression) -> Expression {
    match (parts.pop(), parts.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            parts.extend(last);
            together(parts)
        }
    }
}
