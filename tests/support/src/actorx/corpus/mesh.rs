//! Meshes that are as they should be, in every shape writers give them.

use super::super::build::{CLASSIC, Chunks, Face, MODERN, MORPHS, Material, Mesh, NarrowFace, Wedge, chain};
use super::sample::{changed, colors, figure, figure_good, morphs, normals, sockets, tangents, uvs};
use super::{Case, Good, ok};

pub fn cases() -> Vec<Case> {
    let mut cases = shapes();
    cases.extend(faces());
    cases.extend(optional_chunks());
    cases
}

fn shapes() -> Vec<Case> {
    let mesh = figure();
    let narrow: Vec<NarrowFace> = mesh.faces.iter().map(Face::narrow).collect();
    let mut rooted = mesh.bones.clone();
    rooted[0].parent = -1;
    let nobody = Mesh { bones: Vec::new(), weights: Vec::new(), ..figure() };
    let nothing = Good {
        points: Some(0),
        wedges: Some(0),
        faces: Some(0),
        materials: Some(0),
        uv_sets: Some(0),
        ..figure_good()
    };
    let mut cases = vec![
        ok(
            "actorx/mesh/classic.psk",
            "the seven chunks of Epic's exporters in their order",
            "actorx.md 1.4",
            mesh.onto(Chunks::flagged(CLASSIC, CLASSIC)),
            figure_good(),
        ),
        ok(
            "actorx/mesh/skeleton_only.pskx",
            "two heads and a skeleton, no mesh",
            "actorx.md 1.4, 7 (5)",
            Chunks::flagged(MORPHS, 0).empty("ACTRHEAD", 0).empty("ACTRHEAD", 0).records("REFSKELT", &rooted),
            nothing.quirks(&["duplicate-head"]),
        ),
        ok(
            "actorx/mesh/static.pskx",
            "no bones and no influences",
            "actorx.md 2",
            nobody.chunks(),
            Good { bones: Some(0), ..figure_good() },
        ),
        ok(
            "actorx/mesh/everything.pskx",
            "every chunk of the standard set",
            "actorx.md 2",
            everything(),
            Good { uv_sets: Some(3), ..figure_good() },
        ),
        ok(
            "actorx/mesh/shuffled.psk",
            "references point at chunks that come later",
            "actorx.md 1.4",
            Chunks::new()
                .empty("ACTRHEAD", 0)
                .records("RAWWEIGHTS", &mesh.weights)
                .records("REFSKELT", &mesh.bones)
                .records("MATT0000", &mesh.materials)
                .records("FACE0000", &narrow)
                .records("VTXW0000", &mesh.wedges)
                .records("PNTS0000", &mesh.points),
            figure_good(),
        ),
        ok(
            "actorx/mesh/many_bones.psk",
            "more bones than a byte can number",
            "actorx.md 3.6",
            changed(|mesh| mesh.bones = chain(300)),
            Good { bones: Some(300), ..figure_good() },
        ),
        ok(
            "actorx/mesh/root_minus_one.psk",
            "the root has no parent instead of itself",
            "actorx.md 3.6",
            changed(|mesh| mesh.bones[0].parent = -1),
            figure_good(),
        ),
    ];
    // Miri takes minutes over it.
    if !cfg!(miri) {
        let wide = ok(
            "actorx/mesh/wide_points.pskx",
            "more than 65 536 points make the wedge's point index 32 bits wide",
            "actorx.md 3.2",
            wide_points(),
            Good {
                bones: Some(0),
                points: Some(65_537),
                wedges: Some(3),
                faces: Some(1),
                materials: Some(1),
                ..figure_good()
            },
        );
        cases.insert(cases.len() - 1, wide);
    }
    cases
}

fn everything() -> Chunks {
    let (infos, deltas) = morphs();
    figure()
        .onto(Chunks::flagged(MORPHS, 0))
        .records("VTXNORMS", &normals())
        .records("VTXTANGS", &tangents())
        .records("VERTEXCOLOR", &colors())
        .records("EXTRAUVS0", &uvs(0.5))
        .records("EXTRAUVS1", &uvs(0.25))
        .records("MRPHINFO", &infos)
        .records("MRPHDATA", &deltas)
        .records("SKELSOCK", &sockets())
}

fn wide_points() -> Chunks {
    let mut points = Vec::new();
    for row in 0..=256_u16 {
        for column in 0..256_u16 {
            points.push([f32::from(column), f32::from(row), 0.0]);
        }
    }
    points.truncate(65_537);
    Mesh {
        points,
        wedges: vec![Wedge::new(0, [0.0, 0.0], 0), Wedge::new(1, [1.0, 0.0], 0), Wedge::new(65_536, [0.0, 1.0], 0)],
        faces: vec![Face::new([0, 1, 2], 0)],
        materials: vec![Material::new("Sheet", 0)],
        ..Mesh::default()
    }
    .chunks()
}

fn faces() -> Vec<Case> {
    vec![
        ok(
            "actorx/mesh/face32_few_wedges.pskx",
            "wide faces although narrow ones would do",
            "actorx.md 3.4",
            changed(|mesh| mesh.wide_faces = true),
            figure_good(),
        ),
        ok(
            "actorx/mesh/face32_odd_count.pskx",
            "an odd number of 18-byte faces leaves every later chunk at 2 modulo 4",
            "actorx.md 8",
            changed(|mesh| {
                mesh.wide_faces = true;
                mesh.faces.pop();
            })
            .records("EXTRAUVS0", &uvs(0.5)),
            Good { faces: Some(11), uv_sets: Some(2), ..figure_good() },
        ),
    ]
}

fn optional_chunks() -> Vec<Case> {
    let bgra: Vec<[u8; 4]> = colors().iter().map(|&[red, green, blue, alpha]| [blue, green, red, alpha]).collect();
    let (infos, deltas) = morphs();
    vec![
        ok(
            "actorx/mesh/extrauvs.psk",
            "three extra UV sets",
            "actorx.md 3.9",
            figure()
                .chunks()
                .records("EXTRAUVS0", &uvs(0.5))
                .records("EXTRAUVS1", &uvs(0.25))
                .records("EXTRAUVS2", &uvs(2.0)),
            Good { uv_sets: Some(4), ..figure_good() },
        ),
        ok(
            "actorx/mesh/extrauv0_repeated.pskx",
            "an id that repeats means the next set",
            "actorx.md 3.9 (a)",
            figure().chunks().records("EXTRAUV0", &uvs(0.5)).records("EXTRAUV0", &uvs(0.25)),
            Good { uv_sets: Some(3), ..figure_good() },
        ),
        ok(
            "actorx/mesh/extrauv_numbered.pskx",
            "numbered ids without the S, and the empty chunks that go with them",
            "actorx.md 3.9 (c)",
            figure()
                .chunks()
                .records("EXTRAUV0", &uvs(0.5))
                .records("EXTRAUV1", &uvs(0.25))
                .empty("VTXNORMS", 12)
                .empty("VERTEXCOLOR", 4)
                .empty("MRPHINFO", 68)
                .empty("MRPHDATA", 28),
            Good { uv_sets: Some(3), ..figure_good() },
        ),
        ok(
            "actorx/mesh/vertex_colors.psk",
            "a red-first colour per wedge",
            "actorx.md 3.8",
            figure().chunks().records("VERTEXCOLOR", &colors()),
            figure_good(),
        ),
        ok(
            "actorx/mesh/vertex_colors_bgra.psk",
            "a blue-first colour per wedge, as Epic's exporters write it; only the type flags hint at it",
            "actorx.md 3.8",
            figure().onto(Chunks::flagged(MODERN, MODERN)).records("VERTEXCOLOR", &bgra),
            figure_good(),
        ),
        ok(
            "actorx/mesh/normals_tangents.pskx",
            "a normal and a tangent per point",
            "actorx.md 3.10",
            figure().chunks().records("VTXNORMS", &normals()).records("VTXTANGS", &tangents()),
            figure_good(),
        ),
        ok(
            "actorx/mesh/morphs.pskx",
            "two morph targets",
            "actorx.md 3.11",
            figure().onto(Chunks::flagged(MORPHS, 0)).records("MRPHINFO", &infos).records("MRPHDATA", &deltas),
            figure_good(),
        ),
        ok(
            "actorx/mesh/sockets.pskx",
            "a socket on a bone and one on none",
            "actorx.md 3.12",
            figure().chunks().records("SKELSOCK", &sockets()),
            figure_good(),
        ),
    ]
}
