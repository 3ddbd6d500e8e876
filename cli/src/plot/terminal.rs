//! A plot as text: each letter of braille has two by four dots.

use std::fmt::Write as _;

use super::curves::{Plot, Span};
use crate::output::terminal_width;
use crate::text::clean;
use skelmap_batch::convert::position;

/// Letters below each other in a diagram.
const ROWS: usize = 5;

/// The room for the numbers on the left.
const LABEL: usize = 11;

/// The dots of a letter of braille, column by column from the top.
const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

pub(super) fn write(plot: &Plot) -> String {
    let columns = terminal_width().unwrap_or(80).clamp(40, 200).saturating_sub(LABEL + 1);
    let mut text = format!("{}\n", clean(&plot.title));
    for (bone, name) in plot.bones.iter().enumerate() {
        for panel in &plot.panels {
            let Some(curve) = panel.curves.get(bone) else { continue };
            let values = || curve.iter().flatten().flat_map(|(low, high)| [*low, *high]);
            if let Some(first) = values().next().filter(|first| values().all(|value| value == *first)) {
                let _ = writeln!(text, "\n{}, {}: always {} {}", clean(name), panel.title, number(first), panel.unit);
                continue;
            }
            let _ = writeln!(text, "\n{}, {} ({})", clean(name), panel.title, panel.unit);
            let rows = draw(curve, panel.range, columns);
            let (low, high) = panel.range;
            let last = rows.len().saturating_sub(1);
            for (index, row) in rows.iter().enumerate() {
                let label = match index {
                    0 => number(high),
                    own if own == last => number(low),
                    _ => String::new(),
                };
                let _ = writeln!(text, "{label:>LABEL$} {row}");
            }
        }
    }
    let end = plot
        .seconds
        .map_or_else(|| format!("{} frames", plot.frames), |seconds| format!("{seconds:.2} s, {} frames", plot.frames));
    let (start, room) = ("0 s", columns.saturating_sub(3));
    let _ = writeln!(text, "{:>LABEL$} {start}{end:>room$}", "");
    text
}

/// The rows of letters, from the top.
fn draw(curve: &[Span], (low, high): (f64, f64), columns: usize) -> Vec<String> {
    let (width, height) = (columns * 2, ROWS * 4);
    let mut letters = vec![vec![0_u32; columns]; ROWS];
    let place = |value: f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        to_index((1.0 - share) * position(height - 1))
    };
    let mut before: Option<usize> = None;
    for x in 0..width {
        let Some((low, high)) = value_at(curve, x, width) else {
            before = None;
            continue;
        };
        let (mut top, mut bottom) = (place(high), place(low));
        // Dots that belong together touch each other.
        if let Some(before) = before {
            if before + 1 < top {
                top = before + 1;
            } else if before > bottom + 1 {
                bottom = before - 1;
            }
        }
        before = Some(place(f64::midpoint(low, high)));
        for y in top..=bottom.min(height - 1) {
            let letter = letters.get_mut(y / 4).and_then(|row| row.get_mut(x / 2));
            let dot = DOTS.get(x % 2).and_then(|column| column.get(y % 4)).copied().unwrap_or(0);
            if let Some(letter) = letter {
                *letter |= dot;
            }
        }
    }
    let row = |letters: &Vec<u32>| letters.iter().filter_map(|dots| char::from_u32(0x2800 + dots)).collect();
    letters.iter().map(row).collect()
}

/// The span at a dot: that of the nearest column, or between two where there are fewer columns than dots.
fn value_at(curve: &[Span], x: usize, width: usize) -> Span {
    let place = position(x) * position(curve.len().saturating_sub(1)) / position(width.saturating_sub(1).max(1));
    let (first, share) = (place.floor(), place.fract());
    let span = |index: f64| curve.get(to_index(index)).copied().flatten();
    match (span(first), span(first + 1.0)) {
        (Some((low, high)), Some((next_low, next_high))) if curve.len() < width => {
            Some((low + (next_low - low) * share, high + (next_high - high) * share))
        }
        _ => span(place.round()),
    }
}

/// A place as an index.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places are few and not negative")]
fn to_index(place: f64) -> usize {
    place.round().max(0.0) as usize
}

/// A number in at most ten letters.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.').to_owned();
    if text.len() > 10 || (value != 0.0 && value.abs() < 1e-3) { format!("{value:.3e}") } else { text }
}
