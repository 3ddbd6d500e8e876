//! The native part of the Python package `skelmap`: files, their bytes, and all that takes long.
//!
//! Python makes the arrays (`python/skelmap`): here a file says where its records lie, and [`memory::Memory`] shows `NumPy` the bytes.

mod catalog;
mod edit;
mod error;
mod file;
mod gltf;
mod long;
mod mapping;
mod memory;
mod model;
mod parts;
mod preview;
mod sets;
mod ueformat;
mod walk;
mod write;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command `skelmap`. The arguments begin with the name of the program.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| skelmap_cli::run(arguments))
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // The first thread of a pool makes it under a lock. A process that forks at that moment would wait for the lock for ever.
    crossbeam_epoch::default_collector();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<file::File>()?;
    module.add_class::<memory::Memory>()?;
    module.add_class::<model::Rig>()?;
    module.add_class::<model::Binding>()?;
    module.add_class::<catalog::Table>()?;
    module.add_class::<edit::Edit>()?;
    module.add_class::<sets::Sets>()?;
    module.add_class::<walk::Items>()?;
    module.add_class::<walk::Item>()?;
    module.add_function(wrap_pyfunction!(catalog::catalog, module)?)?;
    module.add_function(wrap_pyfunction!(catalog::catalog_to, module)?)?;
    module.add_function(wrap_pyfunction!(catalog::check_to, module)?)?;
    module.add_function(wrap_pyfunction!(catalog::convert_to, module)?)?;
    module.add_function(wrap_pyfunction!(edit::merge, module)?)?;
    module.add_function(wrap_pyfunction!(edit::split, module)?)?;
    module.add_function(wrap_pyfunction!(file::explain, module)?)?;
    module.add_function(wrap_pyfunction!(file::open, module)?)?;
    module.add_function(wrap_pyfunction!(file::parse, module)?)?;
    module.add_function(wrap_pyfunction!(gltf::write_gltf, module)?)?;
    module.add_function(wrap_pyfunction!(model::is_inflated, module)?)?;
    module.add_function(wrap_pyfunction!(model::sample, module)?)?;
    module.add_function(wrap_pyfunction!(model::sequences, module)?)?;
    module.add_function(wrap_pyfunction!(preview::draw, module)?)?;
    module.add_function(wrap_pyfunction!(sets::sets, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_head, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_skeleton_path, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_levels, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_uv_sets, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_color_sets, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_materials, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_bones, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_sockets, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_virtual_bones, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_hulls, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_metadata, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_tracks, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_curves, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_poses, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_pose_bones, module)?)?;
    module.add_function(wrap_pyfunction!(ueformat::ue_pose_curves, module)?)?;
    module.add_function(wrap_pyfunction!(walk::walk, module)?)?;
    module.add_function(wrap_pyfunction!(write::check_animation_counts, module)?)?;
    module.add_function(wrap_pyfunction!(write::check_mesh_counts, module)?)?;
    module.add_function(wrap_pyfunction!(write::write_pmd, module)?)?;
    module.add_function(wrap_pyfunction!(write::write_psa, module)?)?;
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
