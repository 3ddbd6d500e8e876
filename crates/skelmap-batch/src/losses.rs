//! What is lost on the way from glTF to files for games, in words.

use skelmap_write::pyrogenesis::MeshReport;
use skelmap_write::{ImportReport, actorx};

use crate::text::add_remark;

/// What reading glTF computed and left out.
pub(crate) fn of_import(import: &ImportReport) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut add = |count, noun, remark| add_remark(&mut remarks, count, noun, remark);
    add(import.computed_normals, "normal", "computed");
    add(
        import.vertices_without_uvs,
        "vertex",
        "without texture coordinates, which are 0 (--keep-unused writes them to glTF)",
    );
    add(import.zeroed_numbers, "number", "not finite, or a weight below 0: 0 instead");
    add(import.textures, "texture", "not written: the game has its own formats for images");
    add(import.dropped_morphs, "morph target", "left out");
    add(import.posed_joints, "joint", "at rest elsewhere than the skin is bound: as it is bound");
    add(
        import.dropped_attachments,
        "attachment",
        "left out: neither directly below a joint nor, without joints, below the mesh",
    );
    remarks
}

/// What writing a mesh of 0 A.D. changed and left out.
pub(crate) fn of_pmd(mesh: &MeshReport) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut add = |count, noun, remark| add_remark(&mut remarks, count, noun, remark);
    add(mesh.cut_vertices, "vertex", "with more than four influences: the strongest are kept");
    add(mesh.weak_influences, "influence", "below 0.001 left out");
    add(mesh.unknown_influences, "influence", "of joints without a bone left out");
    add(mesh.unmoved_vertices, "vertex", "without influences: they follow the model");
    add(mesh.bones_without_joints, "bone", "without a joint: at the origin");
    add(mesh.dropped_props, "prop point", "left out: its joint is no bone");
    add(mesh.renamed_props, "prop point", "without the number that Blender added");
    if mesh.has_many_bones {
        remarks.push("more than 63 bones, which only releases from 28 on draw".to_owned());
    }
    remarks
}

/// What writing a mesh of ActorX changed and left out.
pub(crate) fn of_psk(mesh: &actorx::MeshReport) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut add = |count, noun, remark| add_remark(&mut remarks, count, noun, remark);
    add(mesh.cut_points, "point", "with more than four influences: the strongest are kept");
    add(mesh.unweighted_points, "point", "without influences: they follow the root");
    add(mesh.changed_names, "name", "cut, numbered or without characters of other languages");
    add(usize::from(mesh.has_new_root), "root", "added above several");
    add(mesh.shared_groups, "surface", "smooth across a hard edge: there are 32 groups");
    add(mesh.dropped_sets, "UV set or colour", "left out, which .pskx keeps");
    add(mesh.dropped_attachments, "attachment", "left out");
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_mesh_of_the_game_lost_is_told_with_its_number() {
        assert_eq!(of_pmd(&MeshReport::default()), <[String; 0]>::default());
        let mut lost = MeshReport::default();
        (lost.cut_vertices, lost.dropped_props, lost.has_many_bones) = (2, 1, true);
        let told = [
            "2 vertices with more than four influences: the strongest are kept",
            "1 prop point left out: its joint is no bone",
            "more than 63 bones, which only releases from 28 on draw",
        ];
        assert_eq!(of_pmd(&lost), told);
    }
}
