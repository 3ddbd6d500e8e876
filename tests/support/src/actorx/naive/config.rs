//! A naive reader of the `.config` side-car (`ActorX` reference, section 6.1).

use super::decoded;

/// The side-car's lines, sorted by meaning and otherwise in file order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    pub rotation_only: bool,
    pub use_translation: Vec<String>,
    pub force_mesh: Vec<String>,
    /// Sequence, bone index, and `trans`, `rot` or `all`.
    pub remove: Vec<(String, u32, String)>,
    /// 1-based numbers of the lines no rule covers.
    pub bad_lines: Vec<usize>,
}

/// Reads a side-car; every input is one, if only one made of bad lines.
pub fn read(bytes: &[u8]) -> Config {
    let mut config = Config::default();
    let mut section = String::new();
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
    for (index, raw) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let line = decoded(raw);
        let line = trimmed(&line);
        if line.is_empty() {
            continue;
        }
        let heading = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        let understood = if let Some(heading) = heading {
            section = trimmed(heading).to_ascii_lowercase();
            let known = ["animset", "usetranslationbonenames", "forcemeshtranslationbonenames", "removetracks"];
            known.contains(&section.as_str())
        } else {
            match section.as_str() {
                "animset" => animset(&mut config, line),
                "usetranslationbonenames" => {
                    config.use_translation.push(line.to_owned());
                    true
                }
                "forcemeshtranslationbonenames" => {
                    config.force_mesh.push(line.to_owned());
                    true
                }
                "removetracks" => remove_track(&mut config, line),
                _ => false,
            }
        };
        if !understood {
            config.bad_lines.push(index + 1);
        }
    }
    config
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_ascii_whitespace())
}

fn animset(config: &mut Config, line: &str) -> bool {
    let Some((key, value)) = line.split_once('=') else {
        return false;
    };
    if !trimmed(key).eq_ignore_ascii_case("bAnimRotationOnly") {
        return false;
    }
    match trimmed(value) {
        "0" => config.rotation_only = false,
        "1" => config.rotation_only = true,
        _ => return false,
    }
    true
}

// Sequence names may hold `.` and `=`: both splits are at the last one.
fn remove_track(config: &mut Config, line: &str) -> bool {
    let Some((track, what)) = line.rsplit_once('=') else {
        return false;
    };
    let Some((sequence, bone)) = trimmed(track).rsplit_once('.') else {
        return false;
    };
    // White space counts nowhere.
    let (sequence, bone) = (trimmed(sequence), trimmed(bone));
    let what = trimmed(what).to_ascii_lowercase();
    if sequence.is_empty() || !matches!(what.as_str(), "trans" | "rot" | "all") {
        return false;
    }
    if bone.is_empty() || !bone.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let Ok(bone) = bone.parse() else {
        return false;
    };
    config.remove.push((sequence.to_owned(), bone, what));
    true
}
