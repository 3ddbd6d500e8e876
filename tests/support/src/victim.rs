//! A file that others change while it is open.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A file in a folder of its own, on a file system that has leases, if there is one.
pub struct Victim {
    _folder: TempDir,
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

impl Victim {
    pub fn of(name: &str, bytes: Vec<u8>) -> Self {
        // Containers often have their temporary folder on overlayfs, which keeps no leases, and memory here.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }.unwrap();
        let path = folder.path().join(name);
        fs::write(&path, &bytes).unwrap();
        #[cfg(target_os = "linux")]
        wait_for_writers(&path);
        Self { _folder: folder, path, bytes }
    }

    /// Opens the file for writing, as any program does: waits where the system says so.
    pub fn open_for_writing(&self) -> File {
        OpenOptions::new().write(true).open(&self.path).unwrap()
    }
}

/// Waits until no process has the file open for writing. A child that another test starts inherits the descriptor of a file that
/// this test writes, until the child runs its program. Such a file can have no lease.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "asks for a lease, as the library does")]
fn wait_for_writers(path: &Path) {
    use std::os::fd::AsRawFd;

    let file = File::open(path).unwrap();
    // SAFETY: the descriptor is open, and the call takes an integer.
    let lease = |kind: libc::c_int| unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, kind) };
    while lease(libc::F_RDLCK) != 0 {
        // Any other error: the file system has no leases, and no test of a lease goes on.
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::WouldBlock {
            return;
        }
        std::thread::yield_now();
    }
    assert_eq!(lease(libc::F_UNLCK), 0);
}

/// All of a pipe.
pub fn drain(mut pipe: impl Read) -> String {
    let mut text = String::new();
    pipe.read_to_string(&mut text).unwrap();
    text
}
