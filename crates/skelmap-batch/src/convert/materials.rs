//! The texts of exporters that name the materials of a mesh, or the images of a material.

use std::collections::HashMap;

use serde_json::Value;

/// For each material the names that a text gives it, at most [`MAX_NAMES`].
pub(super) type Slots = HashMap<usize, Vec<String>>;

/// `#exec MESHMAP SETTEXTURE MESHMAP=Fox NUM=0 TEXTURE=FoxTex0`
pub(super) fn slots_of_script(text: &str) -> Slots {
    let mut slots = Slots::new();
    for line in text.lines() {
        let upper = line.to_ascii_uppercase();
        let value = |key: &str| {
            let start = upper.find(key)? + key.len();
            line.get(start..)?.split_whitespace().next()
        };
        if upper.contains("SETTEXTURE") {
            if let (Some(Ok(slot)), Some(name)) = (value("NUM=").map(str::parse), value("TEXTURE=")) {
                add_name(&mut slots, slot, name);
            }
        }
    }
    slots
}

/// `Material = MaterialInstanceConstant'Package.FoxMaterial'`
pub(super) fn slots_of_props(text: &str) -> Slots {
    let materials = text.lines().filter_map(|line| {
        let (before, value) = line.split_once("Material")?;
        let value = value.trim_start().strip_prefix('=')?.trim();
        let is_key = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let value = value.split([',', ' ', '}']).next().filter(|_| is_key)?;
        value.trim_matches('\'').rsplit(['.', '/', '\'']).next()
    });
    let mut slots = Slots::new();
    materials.enumerate().for_each(|(slot, name)| add_name(&mut slots, slot, name));
    slots
}

fn add_name(slots: &mut Slots, slot: usize, name: &str) {
    let names = slots.entry(slot).or_default();
    if names.len() < MAX_NAMES {
        names.push(name.to_owned());
    }
}

/// The most names that a text gives a material. Real texts give one.
const MAX_NAMES: usize = 16;

/// What the base colour is called in texts of materials, in the order of preference.
const KEYS: [&str; 4] = ["diffuse", "basecolor", "albedo", "color"];

/// Words in the names of other textures, which may have a colour as well: `EmissiveColor`.
const OTHERS: [&str; 7] = ["emissi", "specular", "normal", "mask", "detail", "rough", "metal"];

/// How the names of images of the base colour end.
const ENDINGS: [&str; 5] = ["_d", "_bc", "_diffuse", "_basecolor", "_albedo"];

/// The image of the base colour in a `.mat` of UModel: `Diffuse=T_Body_D`.
pub(super) fn image_of_mat(text: &str) -> Option<String> {
    base_color(text.lines().filter_map(|line| line.split_once('=')))
}

/// The image of the base colour in JSON: a material of `FModel` (`Textures`), or its properties (`TextureParameterValues`).
pub(super) fn image_of_json(text: &str) -> Option<String> {
    let json: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    // Properties are those of all exports of a package.
    let exports = json.as_array().map_or(std::slice::from_ref(&json), Vec::as_slice);
    let textures = exports.iter().filter_map(|export| export.get("Textures")?.as_object()).flatten();
    let textures = textures.filter_map(|(key, image)| Some((key.as_str(), image.as_str()?)));
    let parameters =
        exports.iter().filter_map(|export| export.get("Properties")?.get("TextureParameterValues")?.as_array());
    let parameters = parameters.flatten().filter_map(|parameter| {
        let info = parameter.get("ParameterInfo");
        let key = info.and_then(|info| info.get("Name")).or_else(|| parameter.get("ParameterName"));
        let value = parameter.get("ParameterValue")?;
        let image = ["ObjectPath", "ObjectName"].iter().find_map(|name| value.get(name)?.as_str());
        Some((key.and_then(Value::as_str).unwrap_or_default(), image?))
    });
    base_color(textures.chain(parameters))
}

/// Of keys with images the image of the base colour: by the key, which is better whole than in a longer one; else by the image.
fn base_color<'t>(images: impl Iterator<Item = (&'t str, &'t str)>) -> Option<String> {
    let ranked = images.filter_map(|(key, image)| {
        let key: String = key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let image = last_name(image);
        let is_other = OTHERS.iter().any(|other| key.contains(other));
        let whole = KEYS.iter().position(|own| key == *own);
        let inside = || KEYS.iter().position(|own| key.contains(own) && !is_other).map(|order| KEYS.len() + order);
        let ends = |ending: &&str| image.to_ascii_lowercase().ends_with(*ending);
        let by_image = || ENDINGS.iter().any(ends).then_some(2 * KEYS.len());
        let rank = whole.or_else(inside).or_else(by_image).filter(|_| !image.is_empty() && image != "None")?;
        Some(((rank, key.len()), image))
    });
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, image)| image.to_owned())
}

/// The name of an object: `T_Body_D` of `/Game/Fox/T_Body_D.T_Body_D`, `Fox/T_Body_D.0` and `Texture2D'T_Body_D'`.
fn last_name(path: &str) -> &str {
    let path = path.trim().trim_end_matches('\'');
    let object = path.rsplit(['/', '\\', '\'']).next().unwrap_or_default();
    object.rsplit_once('.').map_or(object, |(package, _)| package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_color_is_chosen_by_its_key_then_by_its_image() {
        let chosen = |images: &[(&'static str, &'static str)]| base_color(images.iter().copied());
        let of = |images| chosen(images).unwrap_or_default();
        assert_eq!(of(&[("PM_Normals", "T_N"), ("PM_Diffuse", "T_1"), ("Diffuse_Texture_2", "T_2")]), "T_1");
        assert_eq!(of(&[("Base Color Map", "T_1"), ("Color", "T_2")]), "T_2", "whole before a part");
        assert_eq!(
            of(&[("Diffuse Map", "T_1"), ("Albedo Map", "T_2"), ("Color", "T_3")]),
            "T_3",
            "whole before all parts"
        );
        assert_eq!(of(&[("Albedo", "T_1"), ("Diffuse", "T_2")]), "T_2");
        assert_eq!(of(&[("Albedo Map", "T_1"), ("Diffuse Texture", "T_2")]), "T_2");
        assert_eq!(of(&[("Tex", "T_Fox_D"), ("Color Map", "T_2")]), "T_2", "the key before the image");
        assert_eq!(of(&[("EmissiveColor", "T_E"), ("Tex", "T_Fox_BC")]), "T_Fox_BC");
        assert_eq!(of(&[("Diffuse", "None"), ("Tex", "T_Fox_d")]), "T_Fox_d");
        assert_eq!(chosen(&[("Normal", "T_Fox_N"), ("ColorMask", "T_Fox_M")]), None);
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn a_text_gives_a_material_16_names_at_most() {
        let lines = |count: usize| (0..count).map(|index| format!("SETTEXTURE NUM=3 TEXTURE=T{index}\n"));
        let names = |count: usize| slots_of_script(&lines(count).collect::<String>()).remove(&3).unwrap_or_default();
        let expected: Vec<String> = (0..16).map(|index| format!("T{index}")).collect();
        assert_eq!(names(15), expected[..15]);
        assert_eq!(names(16), expected);
        assert_eq!(names(17), expected);
    }

    #[test]
    fn materials_are_read_in_each_form() {
        assert_eq!(image_of_mat("Normal=N\r\nDiffuse=T_Fox\r\n").as_deref(), Some("T_Fox"));
        assert_eq!(image_of_mat("Other[0]=T_Fox_N\nOther[1]=T_Fox_D").as_deref(), Some("T_Fox_D"));
        let flat =
            r#"{"Textures": {"Normals": "/G/N.N", "BaseColor": "/Game/Fox/T_Fox.T_Fox", "Odd": 1}, "Parameters": {}}"#;
        assert_eq!(image_of_json(&format!("\u{feff}{flat}")).as_deref(), Some("T_Fox"));
        let raw = |value: &str| {
            format!(
                r#"[{{"Type": "Other"}}, {{"Properties": {{"TextureParameterValues": [{{"ParameterInfo": {{"Name": "Diffuse"}},
                "ParameterValue": {value}}}, {{"ParameterValue": null}}, {{"ParameterInfo": {{"Name": "Normal"}}}}]}}}}]"#
            )
        };
        for value in [
            r#"{"ObjectName": "Texture2D'T_Fox'", "ObjectPath": "Fox/Content/T_Fox.0"}"#,
            r#"{"ObjectName": "Texture2D'T_Fox'"}"#,
            r#"{"ObjectPath": "Fox\\Content\\T_Fox.T_Fox"}"#,
        ] {
            assert_eq!(image_of_json(&raw(value)).as_deref(), Some("T_Fox"), "{value}");
        }
        for odd in ["", "[]", "{}", "7", r#"{"Textures": null}"#, r#"{"Properties": [1]}"#, &"[".repeat(1 << 20)] {
            assert_eq!(image_of_json(odd), None);
        }
    }
}
