//! A minimal actor of 0 A.D.: a mesh and its animations.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use skelmap_write::Model;

use super::paths::{animation_name, mesh_name, short_name, stem};
use crate::markup::escaped;

/// What stands between the words of a name.
const BETWEEN: [char; 2] = ['_', '-'];

/// The percentage of its speed at which an animation plays.
const SPEED: u32 = 100;

/// The text of an actor. `animations`: the names of the clips, and their files.
pub(super) fn actor(mesh: &Path, animations: &[(String, PathBuf)], model: &Model) -> String {
    let mut text =
        String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<actor version=\"1\">\n  <castshadow/>\n  <group>\n");
    let name = stem(mesh);
    let _ = writeln!(text, "    <variant frequency=\"1\" name=\"{}\">", escaped(&name));
    if !animations.is_empty() {
        text.push_str("      <animations>\n");
        for (clip, path) in animations {
            let _ = writeln!(
                text,
                "        <animation file=\"{}\" name=\"{}\" speed=\"{SPEED}\"/>",
                escaped(&animation_name(path)),
                escaped(&action(clip, &name)),
            );
        }
        text.push_str("      </animations>\n");
    }
    let _ = writeln!(text, "      <mesh>{}</mesh>", escaped(&mesh_name(mesh)));
    // The game looks for it below art/textures/skins.
    text.push_str("      <!-- <textures><texture file=\"skeletal/NAME.png\" name=\"baseTex\"/></textures> -->\n");
    text.push_str("    </variant>\n  </group>\n");
    let has_alpha = model.materials.iter().any(|material| material.alpha.is_some());
    let _ = writeln!(text, "  <material>{}</material>", if has_alpha { "basic_trans.xml" } else { "default.xml" });
    text.push_str("</actor>\n");
    text
}

/// The name of the action in the game: that of the clip without the words at its start that the name of the mesh has too, without that of Blender's object and the number of
/// one of several, of which the game picks any, and with a capital.
fn action(clip: &str, mesh: &str) -> String {
    let own = clip.rsplit('|').next().unwrap_or(clip);
    let short = own.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let unnumbered = short.strip_suffix(['.', '_', '-']).filter(|rest| short != own && !rest.is_empty()).unwrap_or(own);
    let clip = short_name(unnumbered);
    // A dot is between words of a file.
    let mesh: HashSet<String> =
        mesh.split(|letter| BETWEEN.contains(&letter) || letter == '.').map(str::to_lowercase).collect();
    let mut own = clip.as_str();
    while let Some((word, rest)) = own.split_once(BETWEEN) {
        if rest.is_empty() || !mesh.contains(&word.to_lowercase()) {
            break;
        }
        own = rest;
    }
    let mut letters = own.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_has_the_name_of_its_clip() {
        assert_eq!(action("horse_walk", "horse"), "Walk");
        assert_eq!(action("attack_melee", "horse"), "Attack_melee");
        assert_eq!(action("chicken_run_01", "r2_chicken"), "Run");
        assert_eq!(action("Fox_walk", "r1_fox"), "Walk");
        assert_eq!(action("Fox_walk", "r1_fox.skelmap"), "Walk");
        assert_eq!(action("horse_horse", "horse"), "Horse");
        assert_eq!((action("horse", "horse"), action("", "")), ("Horse".to_owned(), "Clip".to_owned()));
        assert_eq!(action("Attack melee", "horse"), "Attack_melee");
        assert_eq!(action("Armature|walk.001", "horse"), "Walk");
        assert_eq!(action("horse_idle_02", "horse"), "Idle");
        assert_eq!(
            (action("Idle-2", ""), action("m60", ""), action("_2", "horse")),
            ("Idle".into(), "M60".into(), "_2".into())
        );
    }
}
