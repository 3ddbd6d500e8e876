//! Mutations, each as `if crate::__mutant(ID) { MUTATED } else { ORIGINAL }`.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use serde_json::{Value, json};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Attribute, BinOp, Block, Expr, ExprRepeat, File, ImplItemFn, Item, ItemConst, ItemFn, ItemImpl, ItemMacro,
    ItemMod, ItemStatic, ItemTrait, Lit, Pat, Signature, Stmt, TraitItemFn, Type, UnOp, parse_quote,
};

use crate::values;

pub fn rewrite(plan: &Value) -> Value {
    let root = Path::new(plan["root"].as_str().unwrap());
    let dropped: HashSet<u64> = plan["drop"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    let mut all = All { next: 1, dropped, found: Vec::new() };
    for of_crate in plan["crates"].as_array().unwrap() {
        let name = of_crate["name"].as_str().unwrap();
        let files: Vec<_> = of_crate["files"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let mut parsed: Vec<(&str, File)> = files
            .iter()
            .map(|file| {
                let text = std::fs::read_to_string(root.join(file)).unwrap();
                (*file, syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}")))
            })
            .collect();
        let mut constants = Constants::default();
        for (file, parsed) in &parsed {
            constants.file = file;
            constants.visit_file(parsed);
        }
        let places = constants.places;
        for (file, parsed) in &mut parsed {
            let mut rewriter = Rewriter { all: &mut all, places: &places, name, file, context: Vec::new(), depth: 0 };
            rewriter.visit_file_mut(parsed);
            std::fs::write(root.join(file), prettyplease::unparse(parsed)).unwrap();
        }
        let lib = root.join(of_crate["lib"].as_str().unwrap());
        let text = std::fs::read_to_string(&lib).unwrap();
        std::fs::write(&lib, text + SWITCH).unwrap();
    }
    Value::Array(all.found)
}

/// What chooses a mutation; in the root of each crate. A number is written where it is first reached.
const SWITCH: &str = r#"
use __mutants::__mutant;
mod __mutants {
    extern crate std;
    use std::io::Write;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering};

    const NOT_READ: u32 = u32::MAX;
    const REACHED: u32 = u32::MAX - 1;
    static CHOSEN: AtomicU32 = AtomicU32::new(NOT_READ);
    static SEEN: Mutex<std::collections::BTreeSet<u32>> = Mutex::new(std::collections::BTreeSet::new());

    #[inline]
    pub(crate) fn __mutant(id: u32) -> bool {
        let chosen = CHOSEN.load(Ordering::Relaxed);
        if chosen < REACHED { chosen == id } else { ask(id) }
    }

    #[cold]
    #[inline(never)]
    fn ask(id: u32) -> bool {
        if CHOSEN.load(Ordering::Relaxed) == NOT_READ {
            let chosen = std::env::var("SKELMAP_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
            let chosen = if std::env::var_os("SKELMAP_REACHED").is_some() { REACHED } else { chosen };
            CHOSEN.store(chosen, Ordering::Relaxed);
            if chosen < REACHED {
                return chosen == id;
            }
        }
        std::thread_local!(static MINE: std::cell::RefCell<std::vec::Vec<u64>> = const { std::cell::RefCell::new(std::vec::Vec::new()) });
        let word = id as usize / 64;
        let known = MINE.try_with(|mine| {
            let mut mine = mine.borrow_mut();
            if mine.len() <= word {
                mine.resize(word + 1, 0);
            }
            let known = mine[word] >> (id % 64) & 1 == 1;
            mine[word] |= 1 << (id % 64);
            known
        });
        if known == Ok(true) || !SEEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(id) {
            return false;
        }
        if let Some(path) = std::env::var_os("SKELMAP_REACHED") {
            if let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path) {
                let _ = file.write_all(std::format!("{id}\n").as_bytes());
            }
        }
        false
    }
}
"#;

/// The constants of a crate that are numbers, with the files that declare them, and whether they are floats.
#[derive(Default)]
struct Constants<'a> {
    places: HashMap<String, Vec<(String, bool)>>,
    file: &'a str,
}

impl Constants<'_> {
    fn add(&mut self, name: &syn::Ident, of: &Type) {
        let Type::Path(path) = of else { return };
        let of = path.path.segments.last().unwrap().ident.to_string();
        let numbers =
            ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64", "Duration"];
        if numbers.contains(&of.as_str()) {
            self.places.entry(name.to_string()).or_default().push((self.file.to_owned(), of.starts_with('f')));
        }
    }
}

impl<'ast> Visit<'ast> for Constants<'_> {
    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.add(&item.ident, &item.ty);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.add(&item.ident, &item.ty);
    }
}

struct All {
    next: u64,
    dropped: HashSet<u64>,
    found: Vec<Value>,
}

struct Rewriter<'a> {
    all: &'a mut All,
    places: &'a HashMap<String, Vec<(String, bool)>>,
    name: &'a str,
    file: &'a str,
    /// Modules, types and functions around.
    context: Vec<String>,
    /// Functions around.
    depth: usize,
}

/// Whether code is for tests only, or for another system than this one.
fn is_elsewhere(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        let elsewhere =
            ["not (unix", "windows", "test", "not (target_os = \"linux\"", "not (feature", "not (any", "macos", "wasm"];
        attribute.path().is_ident("cfg")
            && elsewhere.iter().any(|word| text.contains(word))
            && !text.contains("not (test")
            && !text.contains("not (windows")
    })
}

impl Rewriter<'_> {
    /// The number of a new mutation; `None` if it was dropped.
    fn add(&mut self, span: Span, kind: &str, from: &str, to: &str) -> Option<u32> {
        let id = self.all.next;
        self.all.next += 1;
        let start = span.start();
        self.all.found.push(json!({
            "id": id, "crate": self.name, "file": self.file, "line": start.line, "column": start.column + 1, "kind": kind,
            "function": self.context.join("::"), "from": from, "to": to, "dropped": self.all.dropped.contains(&id),
        }));
        (!self.all.dropped.contains(&id)).then_some(id.try_into().unwrap())
    }

    /// Puts mutated expressions before an original one.
    fn choose(&self, original: &mut Expr, mutated: Vec<(u32, Expr)>) {
        if mutated.is_empty() {
            return;
        }
        let mut tokens: TokenStream = quote!({ #original });
        for (id, mutated) in mutated.into_iter().rev() {
            tokens = quote!(if crate::__mutant(#id) { #mutated } else #tokens);
        }
        *original = parse_quote!((#tokens));
    }

    fn body(&mut self, signature: &Signature, block: &mut Block) {
        if signature.constness.is_some() || signature.unsafety.is_some() || signature.ident == "main" {
            return;
        }
        let whole = block.clone();
        self.context.push(signature.ident.to_string());
        self.depth += 1;
        visit_mut::visit_block_mut(self, block);
        self.depth -= 1;
        let of_default =
            signature.ident == "default" && self.context.iter().any(|name| name.starts_with("<impl Default"));
        if !whole.stmts.is_empty() && !of_default {
            let mut returns = Vec::new();
            for value in values::of_return(&signature.output) {
                let text = value.as_ref().map_or("()".to_owned(), values::text_of);
                if let ([Stmt::Expr(only, None)], Some(value)) = (&whole.stmts[..], &value)
                    && only.to_token_stream().to_string() == value.to_token_stream().to_string()
                {
                    continue;
                }
                if let Some(id) = self.add(signature.ident.span(), "body", "the body", &text) {
                    returns.push(parse_quote!(if crate::__mutant(#id) { return #value; }));
                }
            }
            // Items come first, as `use` may.
            block.stmts.splice(0..0, returns);
        }
        self.context.pop();
    }

    fn binary(&mut self, original: &syn::ExprBinary) -> Vec<(u32, Expr)> {
        let others: &[&str] = match original.op {
            BinOp::Lt(_) => &["<=", "==", ">"],
            BinOp::Le(_) => &["<", ">"],
            BinOp::Gt(_) => &[">=", "==", "<"],
            BinOp::Ge(_) => &[">", "<"],
            BinOp::Eq(_) => &["!="],
            BinOp::Ne(_) => &["=="],
            BinOp::Add(_) => &["-", "*"],
            BinOp::Sub(_) => &["+", "/"],
            BinOp::Mul(_) => &["+", "/"],
            BinOp::Div(_) => &["*", "%"],
            BinOp::Rem(_) => &["/", "+"],
            BinOp::And(_) => &["||"],
            BinOp::Or(_) => &["&&"],
            BinOp::BitAnd(_) => &["|", "^"],
            BinOp::BitOr(_) => &["&", "^"],
            BinOp::BitXor(_) => &["&", "|"],
            BinOp::Shl(_) => &[">>"],
            BinOp::Shr(_) => &["<<"],
            BinOp::AddAssign(_) => &["-=", "*="],
            BinOp::SubAssign(_) => &["+=", "/="],
            BinOp::MulAssign(_) => &["+=", "/="],
            BinOp::DivAssign(_) => &["*=", "%="],
            BinOp::RemAssign(_) => &["/=", "+="],
            BinOp::BitAndAssign(_) => &["|="],
            BinOp::BitOrAssign(_) => &["&="],
            BinOp::BitXorAssign(_) => &["|="],
            BinOp::ShlAssign(_) => &[">>="],
            BinOp::ShrAssign(_) => &["<<="],
            _ => &[],
        };
        let from = original.op.to_token_stream().to_string();
        let mut mutated = Vec::new();
        for other in others {
            let op: BinOp = syn::parse_str(other).unwrap();
            let Some(id) = self.add(original.op.span(), "operator", &from, other) else { continue };
            mutated.push((id, Expr::Binary(syn::ExprBinary { op, ..original.clone() })));
        }
        mutated
    }

    /// A constant that is a number: twice and half of it.
    fn constant(&mut self, original: &syn::ExprPath) -> Vec<(u32, Expr)> {
        let Some(last) = original.path.segments.last() else { return Vec::new() };
        let name = last.ident.to_string();
        let Some(places) = self.places.get(&name) else { return Vec::new() };
        let own = places.iter().find(|(file, _)| file == self.file);
        let Some((_, is_float)) = own.or((places.len() == 1).then_some(&places[0])) else { return Vec::new() };
        let half: Expr = if *is_float { parse_quote!(#original / 2.0) } else { parse_quote!(#original / 2) };
        let mut mutated = Vec::new();
        let options: [(&str, Expr); 2] = [("doubled", parse_quote!(#original + #original)), ("halved", half)];
        for (text, expression) in options {
            if let Some(id) = self.add(original.span(), "constant", &name, text) {
                mutated.push((id, expression));
            }
        }
        mutated
    }
}

/// Whether an expression binds names with `let`.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl VisitMut for Rewriter<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if self.depth == 0 {
            return;
        }
        let original = expression.clone();
        match expression {
            Expr::Const(_) | Expr::Macro(_) => return,
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expression);
        let mutated = match &original {
            Expr::Binary(binary) if !has_let(&original) => self.binary(binary),
            Expr::Unary(unary) => {
                let text = match unary.op {
                    UnOp::Not(_) => "!",
                    UnOp::Neg(_) => "-",
                    _ => return,
                };
                let id = self.add(unary.span(), "unary", text, "nothing");
                id.map(|id| (id, (*unary.expr).clone())).into_iter().collect()
            }
            Expr::Lit(literal) => match values::doubled(&literal.lit) {
                Some(twice) => {
                    let (from, to) = (values::text_of(&original), values::text_of(&twice));
                    self.add(literal.span(), "literal", &from, &to).map(|id| (id, twice)).into_iter().collect()
                }
                None => return,
            },
            Expr::Path(path) => self.constant(path),
            _ => return,
        };
        self.choose(expression, mutated);
    }

    fn visit_expr_match_mut(&mut self, expression: &mut syn::ExprMatch) {
        let wild = expression.arms.iter().position(|arm| {
            arm.guard.is_none() && (matches!(arm.pat, Pat::Wild(_)) || matches!(&arm.pat, Pat::Ident(ident) if ident.subpat.is_none() && ident.ident.to_string().starts_with(char::is_lowercase)))
        });
        self.visit_expr_mut(&mut expression.expr);
        for (index, arm) in expression.arms.iter_mut().enumerate() {
            let pattern = arm.pat.to_token_stream().to_string();
            let span = arm.pat.span();
            self.visit_arm_mut(arm);
            if wild.is_some_and(|wild| index < wild) {
                if let Some(id) = self.add(span, "arm", &pattern.chars().take(60).collect::<String>(), "deleted") {
                    arm.guard = Some(match arm.guard.take() {
                        Some((keyword, guard)) => (keyword, parse_quote!(!crate::__mutant(#id) && #guard)),
                        None => (Default::default(), parse_quote!(!crate::__mutant(#id))),
                    });
                }
            }
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        if is_elsewhere(&arm.attrs) {
            return;
        }
        if let Some((_, guard)) = &mut arm.guard
            && !has_let(guard)
        {
            let (span, text) = (guard.span(), values::text_of(guard));
            self.visit_expr_mut(guard);
            let always = self.add(span, "guard", &text, "true");
            let never = self.add(span, "guard", &text, "false");
            let mut choices = Vec::new();
            choices.extend(always.map(|id| (id, parse_quote!(true))));
            choices.extend(never.map(|id| (id, parse_quote!(false))));
            self.choose(guard, choices);
        }
        self.visit_expr_mut(&mut arm.body);
    }

    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        match statement {
            Stmt::Local(local) if is_elsewhere(&local.attrs) => {}
            Stmt::Macro(_) => {}
            _ => visit_mut::visit_stmt_mut(self, statement),
        }
    }

    fn visit_expr_repeat_mut(&mut self, repeat: &mut ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_item_fn_mut(&mut self, item: &mut ItemFn) {
        if !is_elsewhere(&item.attrs) {
            self.body(&item.sig, &mut item.block);
        }
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut ImplItemFn) {
        if !is_elsewhere(&item.attrs) {
            self.body(&item.sig, &mut item.block);
        }
    }

    fn visit_trait_item_fn_mut(&mut self, item: &mut TraitItemFn) {
        if let Some(block) = &mut item.default {
            self.body(&item.sig, block);
        }
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        let of = item.self_ty.to_token_stream().to_string().replace(' ', "");
        let name = match &item.trait_ {
            Some((_, path, _)) if path.segments.last().is_some_and(|last| last.ident == "Debug") => return,
            Some((_, path, _)) => format!("<impl {} for {of}>", path.to_token_stream().to_string().replace(' ', "")),
            None => of,
        };
        if !is_elsewhere(&item.attrs) {
            self.context.push(name);
            let depth = std::mem::take(&mut self.depth);
            visit_mut::visit_item_impl_mut(self, item);
            self.depth = depth;
            self.context.pop();
        }
    }

    fn visit_item_trait_mut(&mut self, item: &mut ItemTrait) {
        self.context.push(item.ident.to_string());
        visit_mut::visit_item_trait_mut(self, item);
        self.context.pop();
    }

    fn visit_item_mod_mut(&mut self, item: &mut ItemMod) {
        if !is_elsewhere(&item.attrs) {
            visit_mut::visit_item_mod_mut(self, item);
        }
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Fn(_) | Item::Impl(_) | Item::Trait(_) | Item::Mod(_) => visit_mut::visit_item_mut(self, item),
            _ => {}
        }
    }

    fn visit_item_const_mut(&mut self, _: &mut ItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut ItemStatic) {}
    fn visit_item_macro_mut(&mut self, _: &mut ItemMacro) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_trait_item_const_mut(&mut self, _: &mut syn::TraitItemConst) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_path_mut(&mut self, _: &mut syn::Path) {}
    fn visit_attribute_mut(&mut self, _: &mut Attribute) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_lit_mut(&mut self, _: &mut Lit) {}
}
