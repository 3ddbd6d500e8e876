//! A plot as SVG: one diagram below the other.

use std::fmt::Write as _;

use super::curves::{Panel, Plot, Span};
use skelmap_batch::convert::position;
use skelmap_batch::markup::escaped;

/// Colours that people who see fewer of them can tell apart (Okabe and Ito).
const COLORS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6c00", "#888888"];

const WIDTH: f64 = 900.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 64.0;
const HEIGHT: f64 = 120.0;
const GAP: f64 = 34.0;

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#24282e}.dim{fill:#666e78}.title{font-size:16px;font-weight:600}\
.grid{stroke:#dde1e6}.frame{stroke:#aeb5be;fill:none}.back{fill:#fff}\
@media(prefers-color-scheme:dark){text{fill:#e8eaed}.dim{fill:#a4abb5}.grid{stroke:#353b44}.frame{stroke:#59616c}.back{fill:#1b1e23}}";

pub(super) fn write(plot: &Plot) -> String {
    let height = TOP + (HEIGHT + GAP) * position(plot.panels.len()) + 24.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"26\">{title}</text>\n",
        title = escaped(&plot.title)
    );
    let mut x = LEFT;
    for (name, color) in plot.bones.iter().zip(COLORS) {
        let name = escaped(&crate::text::short(name));
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"40\" width=\"14\" height=\"4\" fill=\"{color}\"/><text x=\"{}\" y=\"46\">{name}</text>",
            x + 20.0
        );
        x += 40.0 + 7.0 * position(name.chars().count());
    }
    for (index, panel) in plot.panels.iter().enumerate() {
        write_panel(&mut svg, plot, panel, TOP + (HEIGHT + GAP) * position(index));
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_panel(svg: &mut String, plot: &Plot, panel: &Panel, top: f64) {
    let (low, high) = widened(panel.range);
    let inner = WIDTH - LEFT - RIGHT;
    let y = |value: f64| top + HEIGHT * (high - value) / (high - low);
    let _ = writeln!(
        svg,
        "<text x=\"8\" y=\"{}\">{}</text><text class=\"dim\" x=\"8\" y=\"{}\">{}</text>",
        top + 14.0,
        panel.title,
        top + 30.0,
        panel.unit
    );
    for tick in ticks(low, high, 4) {
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text class=\"dim\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT + inner,
            LEFT - 6.0,
            y(tick) + 4.0,
            label(tick),
            y = y(tick)
        );
    }
    // Seconds, and frames where the file has no rate. The last frame ends the axis.
    let last = position(plot.frames.saturating_sub(1).max(1));
    let (end, unit) = plot.seconds.map_or((last, "frame"), |seconds| (seconds * last / position(plot.frames), "s"));
    for tick in ticks(0.0, end, 10) {
        let x = LEFT + inner * tick / end;
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{}\"/><text class=\"dim\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{} {unit}</text>",
            top + HEIGHT,
            top + HEIGHT + 15.0,
            label(tick)
        );
    }
    let _ = writeln!(svg, "<rect class=\"frame\" x=\"{LEFT}\" y=\"{top}\" width=\"{inner}\" height=\"{HEIGHT}\"/>");
    for (curve, color) in panel.curves.iter().zip(COLORS) {
        for points in pieces(curve, inner) {
            let points = points.into_iter().map(|(x, value)| format!("{:.1},{:.1}", LEFT + x, y(value)));
            let points: Vec<String> = points.collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>",
                points.join(" ")
            );
        }
    }
}

/// The points of a curve, in pieces where values are left out. A column of several frames has its least and its greatest value.
fn pieces(curve: &[Span], width: f64) -> Vec<Vec<(f64, f64)>> {
    let step = width / position(curve.len().saturating_sub(1).max(1));
    let mut pieces: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
    for (index, span) in curve.iter().enumerate() {
        let x = step * position(index);
        match (span, pieces.last_mut()) {
            (Some((low, high)), Some(piece)) if low == high => piece.push((x, *low)),
            (Some((low, high)), Some(piece)) => piece.extend([(x, *low), (x, *high)]),
            _ => pieces.push(Vec::new()),
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// A range with room, so that a constant value has a line in the middle.
fn widened((low, high): (f64, f64)) -> (f64, f64) {
    let room = if high > low { (high - low) * 0.06 } else { (high.abs() * 0.1).max(0.5) };
    (low - room, high + room)
}

/// Round numbers in a range, about so many.
fn ticks(low: f64, high: f64, about: u32) -> Vec<f64> {
    let raw = (high - low) / f64::from(about);
    let power = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= raw);
    let Some(step) = step.filter(|step| step.is_finite() && *step > 0.0) else { return Vec::new() };
    let first = (low / step).ceil();
    (0..about * 3).map(|index| (first + f64::from(index)) * step).take_while(|tick| *tick <= high).collect()
}

/// A round number without needless digits.
fn label(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e6).contains(&value.abs()) {
        return format!("{value:.1e}");
    }
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
