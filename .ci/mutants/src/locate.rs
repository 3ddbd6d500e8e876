//! The mutations at places of rewritten files, to drop those that do not compile.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::LineColumn;
use quote::ToTokens;
use serde_json::{Value, json};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, Expr, ExprIf, Stmt};

/// A part of a file: where, and which mutations it is about. The smallest part that holds a place counts.
struct Part {
    start: LineColumn,
    end: LineColumn,
    ids: BTreeSet<u64>,
}

#[derive(Default)]
struct Parts(Vec<Part>);

pub fn locate(places: &Value) -> Value {
    let mut files: BTreeMap<&str, Parts> = BTreeMap::new();
    let mut found = Vec::new();
    for place in places.as_array().unwrap() {
        let (file, line, column) = (place[0].as_str().unwrap(), place[1].as_u64().unwrap(), place[2].as_u64().unwrap());
        let parts = files.entry(file).or_insert_with(|| {
            let mut parts = Parts::default();
            parts.visit_file(&syn::parse_file(&std::fs::read_to_string(file).unwrap()).unwrap());
            parts
        });
        let at = LineColumn { line: line.try_into().unwrap(), column: usize::try_from(column).unwrap() - 1 };
        let around = parts.0.iter().filter(|part| part.start <= at && at < part.end);
        // The part that begins last and ends first.
        let smallest = around.max_by(|a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
        found.push(smallest.map_or(json!([]), |part| json!(part.ids)));
    }
    Value::Array(found)
}

/// The mutations that tokens name.
fn ids_in(tokens: &impl ToTokens) -> BTreeSet<u64> {
    let text = tokens.to_token_stream().to_string();
    let numbers = text
        .split("__mutant (")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit() && c != ' ').next()?.trim().parse().ok());
    numbers.collect()
}

impl Parts {
    fn add(&mut self, of: &impl Spanned, ids: BTreeSet<u64>) {
        if !ids.is_empty() {
            let span = of.span();
            self.0.push(Part { start: span.start(), end: span.end(), ids });
        }
    }
}

impl<'ast> Visit<'ast> for Parts {
    fn visit_expr_if(&mut self, expression: &'ast ExprIf) {
        if matches!(&*expression.cond, Expr::Call(_)) {
            let ids = ids_in(&expression.cond);
            if !ids.is_empty() {
                self.add(&expression.then_branch, ids);
                // All of a chain.
                let mut all = BTreeSet::new();
                let mut next = Some(expression);
                while let Some(of) = next {
                    all.extend(ids_in(&of.cond));
                    next = match &of.else_branch {
                        Some((_, other)) => match &**other {
                            Expr::If(of) => Some(of),
                            _ => None,
                        },
                        None => None,
                    };
                }
                self.add(expression, all);
            }
        }
        visit::visit_expr_if(self, expression);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.add(arm, ids_in(guard));
        }
        visit::visit_arm(self, arm);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        self.add(statement, ids_in(statement));
        visit::visit_stmt(self, statement);
    }
}
