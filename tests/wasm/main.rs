//! Prints what the library says about files, so that WebAssembly can be compared with the machine. See `run.mjs`.

use std::error::Error;

use skelmap::Asset;
use skelmap::pyrogenesis::{IDENTITY, Playback, Psa};

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        println!("{path}");
        match Asset::parse(&bytes) {
            Ok(asset) => {
                println!("{} {:?}", asset.format(), asset.summary());
                asset.quirks().for_each(|quirk| println!("{quirk:?}"));
                asset.check().iter().for_each(|finding| println!("{finding}"));
                if let Asset::PyrogenesisPsa(animation) = asset {
                    pose(&animation);
                }
            }
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}

/// The bits of some poses: floats must not differ between machines.
fn pose(animation: &Psa<'_>) {
    let mut matrices = vec![IDENTITY; animation.bone_count()];
    for time in [0.0, 7.5, 1000.25] {
        match animation.pose(time, Playback::Loop, &mut matrices) {
            Ok(()) => println!(
                "{time}: {:x?}",
                matrices.as_flattened().iter().map(|float| float.to_bits()).collect::<Vec<_>>()
            ),
            Err(error) => println!("{time}: {error}"),
        }
    }
}
