//! The report of a catalogue: one page to read, without a script.

use std::fmt::Write as _;
use std::path::PathBuf;

use skelmap::archive::Address;

use super::pictures::{Pictures, draw};
use super::survey::{Found, Histogram, Survey, Top, float};
use crate::Source;
use crate::items::Fault;
use crate::markup::escaped;
use crate::names::Roots;
use crate::text::{counted, size};

const STYLE: &str = ":root{color-scheme:light dark}body{margin:0 auto;max-width:960px;padding:24px;font:15px/1.5 system-ui,sans-serif;\
background:#fff;color:#17191c}h1{font-size:26px;margin:0}h2{margin:34px 0 8px;font-size:18px}.dim{color:#5b616b}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:4px 10px 4px 0;border-bottom:1px solid #dfe3e8}\
td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}td{overflow-wrap:anywhere}\
bdi{unicode-bidi:isolate}td.m img{display:block;float:left;margin:0 8px 2px 0;border-radius:4px}.error{color:#b3141c}.warning{color:#8f5300}.note{color:#3d5a80}svg{max-width:100%;height:auto}\
svg rect{fill:#3b78c9}svg text{font:12px system-ui,sans-serif;fill:#5b616b}.lists{display:grid;gap:0 34px;grid-template-columns:repeat(auto-fit,minmax(380px,1fr))}\
@media(max-width:480px){.lists{grid-template-columns:1fr}}\
@media(prefers-color-scheme:dark){body{background:#17191d;color:#eceef1}.dim,svg text{color:#a2a9b4;fill:#a2a9b4}th,td{border-color:#363c45}\
.error{color:#ff8a84}.warning{color:#f3b653}.note{color:#a9c5ee}}@media print{body{max-width:none}}";

/// A page about the assets at these paths, whose folders it does not tell. Draws the models that it names on the threads of the caller's pool.
/// Also the names of the files that were read for the survey and have no picture, because they cannot be read again.
pub fn page(survey: &Survey, source: &Source, paths: &[PathBuf]) -> (String, Vec<(String, Fault)>) {
    let (pictures, faults) = draw(survey, source);
    let roots = Roots::new(paths);
    let title: Vec<String> = paths.iter().map(|path| roots.shown(&Address::find(path)).to_string()).collect();
    (write(survey, &Shown { pictures, roots }, &title.join(", ")), faults)
}

/// What the page has of the assets that it names.
struct Shown {
    pictures: Pictures,
    roots: Roots,
}

impl Shown {
    /// The name as other people may read it.
    fn name(&self, name: &str) -> String {
        escaped(&self.roots.shown(&Address::find(name)).to_string())
    }

    /// The thumbnail of a model, if there is one.
    fn image(&self, name: &str) -> String {
        let tag = |picture| format!("<img src=\"{picture}\" alt=\"\" width=\"56\" height=\"56\" loading=\"lazy\">");
        self.pictures.get(name).map(tag).unwrap_or_default()
    }
}

fn write(survey: &Survey, shown: &Shown, paths: &str) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"generator\" content=\"skelmap\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{paths}</title>\n<style>{STYLE}</style></head><body>\n\
         <h1><bdi>{paths}</bdi></h1>\n<p class=\"dim\">{}, {}; {} with an error; {} without a triangle or without a frame</p>\n",
        counted(survey.files, "asset"),
        size(survey.bytes),
        survey.bad_count,
        survey.empty,
        paths = escaped(paths),
    );
    write_formats(&mut html, survey);
    write_bad(&mut html, survey, shown);
    write_findings(&mut html, survey, shown);
    html.push_str("<div class=\"lists\">");
    histogram(&mut html, "Bones", &survey.bones, &|value| format!("{value}"));
    histogram(&mut html, "Seconds", &survey.seconds, &|value| format!("{value} s"));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "powers of two up to the sizes of files"
    )]
    histogram(&mut html, "Sizes", &survey.sizes, &|value| size(value as u64));
    html.push_str("</div><div class=\"lists\">");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size again")]
    top(&mut html, shown, "Largest files", &survey.largest, &|value| size(value as u64));
    top(&mut html, shown, "Most bones", &survey.most_bones, &|value| format!("{value}"));
    top(&mut html, shown, "Longest animations", &survey.longest, &|value| format!("{value:.2} s"));
    top(&mut html, shown, "Most triangles", &survey.most_triangles, &|value| format!("{value}"));
    html.push_str("</div>\n</body></html>\n");
    html
}

fn write_formats(html: &mut String, survey: &Survey) {
    html.push_str("<h2>Formats</h2><table><tr><th>format<th class=\"n\">files<th class=\"n\">size</tr>\n");
    for (format, (files, bytes)) in &survey.formats {
        let _ = writeln!(html, "<tr><td>{format}<td class=\"n\">{files}<td class=\"n\">{}</tr>", size(*bytes));
    }
    html.push_str("</table>\n");
}

fn write_bad(html: &mut String, survey: &Survey, shown: &Shown) {
    if survey.bad.is_empty() {
        return;
    }
    html.push_str("<h2>Files that cannot be read</h2><table>\n");
    for (name, message) in &survey.bad {
        let _ = writeln!(
            html,
            "<tr><td><bdi>{}</bdi><td class=\"error\"><bdi>{}</bdi></tr>",
            shown.name(name),
            escaped(&shown.roots.shown_text(&Address::find(name), message))
        );
    }
    html.push_str("</table>\n");
    let more = survey.bad_count - survey.bad.len() as u64;
    if more > 0 {
        let _ = writeln!(html, "<p class=\"dim\">and {}</p>", counted(more, "more file"));
    }
}

fn write_findings(html: &mut String, survey: &Survey, shown: &Shown) {
    let mut findings: Vec<&Found> = survey.findings.values().collect();
    if findings.is_empty() {
        html.push_str("<h2>No findings</h2>\n");
        return;
    }
    findings.sort_by_key(|found| (std::cmp::Reverse(found.severity), std::cmp::Reverse(found.files)));
    html.push_str("<h2>Findings</h2><table><tr><th>severity<th>code<th class=\"n\">files<th class=\"n\">records<th>for example</tr>\n");
    for Found { code, severity, files, count, example } in findings {
        let _ = writeln!(
            html,
            "<tr><td class=\"{severity}\">{severity}<td><b>{code}</b>: {}<br><span class=\"dim\">{}</span>\
             <td class=\"n\">{files}<td class=\"n\">{count}<td class=\"m\">{}<bdi>{}</bdi></tr>",
            escaped(code.sentence()),
            escaped(code.explanation()),
            shown.image(example),
            shown.name(example)
        );
    }
    html.push_str("</table>\n");
}

/// A bar for each power of two. The label says where the bar begins.
fn histogram(html: &mut String, title: &str, histogram: &Histogram, label: &dyn Fn(f64) -> String) {
    let most = histogram.bins.values().copied().max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let (row, left, width) = (20, 96.0, 380.0);
    let height = row * histogram.bins.len() + 4;
    let _ = write!(
        html,
        "<section><h2>{title}</h2><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\"><title>{title}</title>"
    );
    for (index, (bin, count)) in histogram.bins.iter().enumerate() {
        let (top, length) = (index * row, (width - left - 60.0) * float(*count) / float(most));
        let from = bin.map_or_else(|| "0".to_owned(), |bin| format!("from {}", label(2_f64.powi(bin))));
        let _ = write!(
            html,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{from}</text><rect x=\"{left}\" y=\"{}\" width=\"{:.1}\" height=\"14\"/><text x=\"{:.1}\" y=\"{}\">{count}</text>",
            left - 8.0,
            top + 14,
            top + 3,
            length.max(1.0),
            left + length.max(1.0) + 6.0,
            top + 14
        );
    }
    html.push_str("</svg></section>\n");
}

fn top(html: &mut String, shown: &Shown, title: &str, Top(list): &Top, label: &dyn Fn(f64) -> String) {
    if list.is_empty() {
        return;
    }
    let _ = writeln!(html, "<section><h2>{title}</h2><table>");
    for (value, name) in list {
        let _ = writeln!(
            html,
            "<tr><td class=\"m\">{}<bdi>{}</bdi><td class=\"n\">{}</tr>",
            shown.image(name),
            shown.name(name),
            label(*value)
        );
    }
    html.push_str("</table></section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_tells_how_many_more_files_cannot_be_read() {
        let bad = vec![("<a>.psk".to_owned(), "is cut".to_owned())];
        let told = |bad_count| {
            let mut html = String::new();
            let survey = Survey { bad: bad.clone(), bad_count, ..Survey::default() };
            write_bad(&mut html, &survey, &Shown { pictures: Pictures::default(), roots: Roots::default() });
            html
        };
        let table = "<h2>Files that cannot be read</h2><table>\n\
                     <tr><td><bdi>&lt;a&gt;.psk</bdi><td class=\"error\"><bdi>is cut</bdi></tr>\n</table>\n";
        assert_eq!(told(1), table);
        assert_eq!(told(2), format!("{table}<p class=\"dim\">and 1 more file</p>\n"));
        assert_eq!(told(4), format!("{table}<p class=\"dim\">and 3 more files</p>\n"));
    }

    /// Rows of 20 and a margin of 4. The longest bar has what is left of 380 beside labels of 96 and counts of 60.
    #[test]
    fn the_longest_bar_fills_its_place_and_the_others_have_their_share_of_it() {
        let bar = |y: u32, from: &str, width: &str, count: &str, end: &str| {
            let (text, rect) = (y + 14, y + 3);
            format!(
                "<text x=\"88\" y=\"{text}\" text-anchor=\"end\">{from}</text>\
                 <rect x=\"96\" y=\"{rect}\" width=\"{width}\" height=\"14\"/><text x=\"{end}\" y=\"{text}\">{count}</text>"
            )
        };
        let bars = [
            bar(0, "0", "56.0", "1000", "158.0"),
            bar(20, "from 1 s", "224.0", "4000", "326.0"),
            // A bar is never too short to be seen.
            bar(40, "from 8 s", "1.0", "1", "103.0"),
        ];
        let expected = format!(
            "<section><h2>Seconds</h2><svg viewBox=\"0 0 380 64\" width=\"380\" height=\"64\" role=\"img\">\
             <title>Seconds</title>{}</svg></section>\n",
            bars.concat()
        );
        let written = |bins: &[(Option<i32>, u64)]| {
            let mut html = String::new();
            let bins = bins.iter().copied().collect();
            histogram(&mut html, "Seconds", &Histogram { bins }, &|value| format!("{value} s"));
            html
        };
        assert_eq!(written(&[(None, 1000), (Some(0), 4000), (Some(3), 1)]), expected);
        assert_eq!(written(&[]), "");
    }

    #[test]
    fn a_picture_stands_before_the_name_of_its_model() {
        let pictures = Pictures::from([("a.psk".to_owned(), "data:x".to_owned())]);
        let shown = Shown { pictures, roots: Roots::default() };
        let of = |name| shown.image(name);
        assert_eq!(of("a.psk"), "<img src=\"data:x\" alt=\"\" width=\"56\" height=\"56\" loading=\"lazy\">");
        assert_eq!(of("b.psk"), "");
    }
}
