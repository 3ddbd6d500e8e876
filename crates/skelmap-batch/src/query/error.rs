//! Why an expression means nothing.

use super::names::NoColumn;

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
