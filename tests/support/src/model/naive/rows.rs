//! Influences: merged, sorted and cut to a width.

use std::collections::BTreeMap;

use super::Mesh;

/// The influences of each point, the strongest first, and what was left out.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Bone and weight; the bone after the last is the model.
    pub rows: Vec<Vec<(usize, f64)>>,
    pub out_of_range: u64,
    pub weightless: u64,
    pub merged: u64,
    pub weaker: u64,
    pub unweighted_points: u64,
}

pub fn rows(mesh: &Mesh, width: usize) -> Rows {
    let bones = mesh.bones.len() as i64;
    let end = if mesh.rules.model_is_bone { bones + 1 } else { bones };
    let mut out = Rows { rows: vec![Vec::new(); mesh.points.len()], ..Rows::default() };
    let mut sums: BTreeMap<(i64, i64), f64> = BTreeMap::new();
    for &(point, bone, weight) in &mesh.influences {
        if point < 0 || point >= mesh.points.len() as i64 || bone < 0 || bone >= end {
            out.out_of_range += 1;
        } else if weight.is_nan() || weight.is_infinite() || weight <= 0.0 {
            out.weightless += 1;
        } else {
            let sum = sums.entry((point, bone)).or_insert(0.0);
            out.merged += u64::from(*sum > 0.0);
            *sum += f64::from(weight);
        }
    }
    for ((point, bone), weight) in sums {
        out.rows[point as usize].push((bone as usize, weight));
    }
    let longest = out.rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = width.min(longest).max(1);
    for row in &mut out.rows {
        // Pairs are in the order of bones, which a stable sort keeps.
        row.sort_by(|one, other| other.1.total_cmp(&one.1));
        out.weaker += row.len().saturating_sub(width) as u64;
        row.truncate(width);
        if row.is_empty() {
            out.unweighted_points += u64::from(bones > 0);
            row.push((0, 1.0));
        }
        let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in row {
            *weight /= sum;
        }
    }
    out
}
