//! What becomes of an open file when others truncate it, write to it, replace it or delete it: in child processes, for one of the
//! answers is that the process is killed.
//!
//! A child opens the file and does what it is told line by line, so that nothing here waits for a time to pass, but where a first try
//! is to fail.

#![allow(unsafe_code, reason = "maps files that others change: that is what is tested")]

mod child;
mod stale;

#[cfg(target_os = "linux")]
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

use skelmap::mapping::MAP_FROM;
use tempfile::TempDir;

use child::{Child, fingerprint};

use test_support::victim::{Victim, drain};

/// Every way to open a file that differs in what others can do to it.
const WAYS: [&str; 3] = ["read", "map", "lease"];

/// A file that is large enough to be mapped.
fn a_victim() -> Victim {
    let size = usize::try_from(2 * MAP_FROM).unwrap() + 123;
    Victim::of("victim", (0..size).map(|at| (at / 7 + at % 251) as u8).collect())
}

fn open_by(victim: &Victim, way: &str) -> Child {
    Child::open(way, &[&victim.path])
}

fn open_without_waiting(victim: &Victim) -> io::Result<File> {
    OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(&victim.path)
}

/// Whether a child that was to open a file by lease did. Where it read the file instead, the rest of a test holds as well or is not
/// to be had.
fn is_leased(child: &mut Child) -> bool {
    let state = child.ask("state");
    if state != "leased" {
        eprintln!("no lease is to be had on this system or file system: what is said of leases is not tested here");
        assert_eq!(state, "in memory");
        assert!(!cfg!(target_os = "linux") || !Path::new("/dev/shm").is_dir(), "tmpfs on Linux has leases");
    }
    state == "leased"
}

#[test]
fn an_unchanged_file_is_the_same_in_another_process() {
    // All other tests run their children through this one.
    if child::serve() {
        return;
    }
    for way in WAYS {
        let victim = a_victim();
        let mut child = open_by(&victim, way);
        match way {
            "read" => assert_eq!(child.ask("state"), "in memory"),
            "map" => assert_eq!(child.ask("state"), "mapped"),
            _ => drop(is_leased(&mut child)),
        }
        assert_eq!(child.ask("sum"), fingerprint(&victim.bytes), "{way}");
        assert!(child.end().success(), "{way}");
    }
}

#[test]
fn a_truncated_file_kills_only_processes_that_mapped_it() {
    for way in WAYS {
        let victim = a_victim();
        let mut child = open_by(&victim, way);
        let was_leased = way == "lease" && is_leased(&mut child);
        victim.open_for_writing().set_len(4096).unwrap();
        assert_eq!(fs::metadata(&victim.path).unwrap().len(), 4096, "{way}");
        if way == "map" {
            child.tell("sum");
            assert_eq!(child.end().signal(), Some(libc::SIGBUS));
            continue;
        }
        assert_eq!(child.ask("sum"), fingerprint(&victim.bytes), "{way}");
        assert_eq!(child.ask("state"), "in memory", "{way}: {was_leased}");
        assert!(child.end().success(), "{way}");
    }
}

#[test]
fn a_truncation_by_path_waits_for_a_lease() {
    let victim = a_victim();
    let mut child = open_by(&victim, "lease");
    is_leased(&mut child);
    let name = std::ffi::CString::new(victim.path.as_os_str().as_bytes()).unwrap();
    // SAFETY: the name ends with a zero.
    assert_eq!(unsafe { libc::truncate(name.as_ptr(), 0) }, 0);
    assert_eq!(child.ask("sum"), fingerprint(&victim.bytes));
    assert_eq!(child.ask("state"), "in memory");
    assert!(child.end().success());
}

#[test]
fn changes_by_other_programs_show_in_a_map_only() {
    for way in WAYS {
        let victim = a_victim();
        let mut child = open_by(&victim, way);
        if way == "lease" {
            is_leased(&mut child);
        }
        let mut changed = victim.bytes.clone();
        changed[1_000_000..1_000_004].copy_from_slice(b"else");
        victim.open_for_writing().write_all_at(b"else", 1_000_000).unwrap();
        assert_eq!(fs::read(&victim.path).unwrap(), changed);
        let expected = if way == "map" { fingerprint(&changed) } else { fingerprint(&victim.bytes) };
        assert_ne!(fingerprint(&changed), fingerprint(&victim.bytes));
        assert_eq!(child.ask("sum"), expected, "{way}");
        assert!(child.end().success(), "{way}");
    }
}

#[test]
fn a_replaced_file_keeps_its_old_bytes_and_its_lease() {
    for way in WAYS {
        let victim = a_victim();
        let mut child = open_by(&victim, way);
        let was_leased = way == "lease" && is_leased(&mut child);
        let other = victim.path.with_extension("new");
        fs::write(&other, b"something else").unwrap();
        fs::rename(&other, &victim.path).unwrap();
        assert_eq!(fs::read(&victim.path).unwrap(), b"something else");
        assert_eq!(child.ask("sum"), fingerprint(&victim.bytes), "{way}");
        assert_eq!(child.ask("state") == "leased", was_leased, "{way}");
        assert!(child.end().success(), "{way}");
    }
}

#[test]
fn a_deleted_file_keeps_its_old_bytes_and_its_lease() {
    for way in WAYS {
        let victim = a_victim();
        let mut child = open_by(&victim, way);
        let was_leased = way == "lease" && is_leased(&mut child);
        fs::remove_file(&victim.path).unwrap();
        assert_eq!(child.ask("sum"), fingerprint(&victim.bytes), "{way}");
        assert_eq!(child.ask("state") == "leased", was_leased, "{way}");
        assert!(child.end().success(), "{way}");
    }
}

#[test]
fn a_writer_waits_for_a_lease_or_gets_the_error_would_block() {
    let victims: Vec<Victim> = (0..20).map(|_| Victim::of("one", vec![7; 5_000])).collect();
    let paths: Vec<&Path> = victims.iter().map(|victim| victim.path.as_path()).collect();
    let mut child = Child::open("lease", &paths);
    if !is_leased(&mut child) {
        return;
    }
    // A process that is stopped gives nothing back: all of these are refused. Their signals are merged into one meanwhile.
    child.stop();
    for victim in &victims {
        for _ in 0..2 {
            let refusal = open_without_waiting(victim).unwrap_err();
            assert_eq!(refusal.kind(), io::ErrorKind::WouldBlock);
        }
        assert_eq!(fs::read(&victim.path).unwrap(), victim.bytes, "reading waits for nobody");
    }
    child.go_on();
    for victim in &victims {
        victim.open_for_writing().set_len(0).unwrap();
        open_without_waiting(victim).expect("there is no lease any more");
    }
    assert_eq!(child.ask("state"), "in memory");
    assert_eq!(child.ask("sum"), fingerprint(&victims.iter().flat_map(|one| one.bytes.clone()).collect::<Vec<u8>>()));
    assert!(child.end().success());
}

#[test]
fn a_lease_ends_with_the_last_clone() {
    let victim = a_victim();
    let mut child = open_by(&victim, "lease");
    if !is_leased(&mut child) {
        return;
    }
    child.ask("keep a part");
    assert_eq!(child.ask("state"), "leased");
    assert_eq!(child.ask("sum"), fingerprint(&victim.bytes[10..20]));
    child.ask("drop");
    // Nobody answers, and nobody has to.
    child.stop();
    open_without_waiting(&victim).expect("there is no lease any more");
    child.go_on();
    // Its number goes to the next file, whose lease is its own.
    let next = a_victim();
    child.ask(&format!("open {}", next.path.display()));
    assert_eq!(child.ask("state"), "leased");
    next.open_for_writing().set_len(0).unwrap();
    assert_eq!(child.ask("sum"), fingerprint(&next.bytes));
    assert!(child.end().success());
}

#[test]
fn a_lease_lasts_when_another_lease_ends() {
    let victims = [a_victim(), a_victim()];
    let mut child = Child::open("lease", &[&victims[0].path, &victims[1].path]);
    if !is_leased(&mut child) {
        return;
    }
    // The child looks at both files, in the order in which it opened them, and `open` waits for the second.
    drop(victims[1].open_for_writing());
    assert_eq!(child.ask("states"), "leased, in memory");
    assert!(child.end().success());
}

/// Such a child keeps the file open, and the lease would last as long.
#[cfg(target_os = "linux")]
#[test]
fn a_lease_ends_with_the_last_clone_though_a_forked_child_has_the_file_open() {
    let victim = a_victim();
    let mut child = open_by(&victim, "lease");
    if !is_leased(&mut child) {
        return;
    }
    let sleeper: i32 = child.ask("fork").parse().unwrap();
    assert!(sleeper > 0);
    child.ask("drop");
    child.stop();
    open_without_waiting(&victim).expect("there is no lease any more");
    child.go_on();
    // SAFETY: sends a signal to a process that lives for a minute if it gets none.
    assert_eq!(unsafe { libc::kill(sleeper, libc::SIGKILL) }, 0);
    assert!(child.end().success());
}

/// Without memory there is no copy. When there is some again the copy is made, though no signal comes any more.
#[cfg(target_os = "linux")]
#[test]
fn a_copy_that_fails_is_tried_again() {
    let victim = a_victim();
    let mut child = open_by(&victim, "lease");
    if !is_leased(&mut child) {
        return;
    }
    child.ask("use up memory");
    assert_eq!(open_without_waiting(&victim).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    // Half a second is nothing to wait for, but for the first try to be over.
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(child.ask("state"), "mapped", "nobody could copy it");
    child.ask("give memory back");
    victim.open_for_writing().set_len(0).unwrap();
    assert_eq!(child.ask("sum"), fingerprint(&victim.bytes));
    assert_eq!(child.ask("state"), "in memory");
    assert!(child.end().success());
}

/// POSIX leaves undefined what opening for reading with `O_TRUNC` does; Linux truncates and asks no lease. The docs say so.
#[cfg(target_os = "linux")]
#[test]
fn a_truncation_while_opening_for_reading_does_not_wait_for_a_lease() {
    let victim = a_victim();
    let mut child = open_by(&victim, "lease");
    if !is_leased(&mut child) {
        return;
    }
    drop(OpenOptions::new().read(true).custom_flags(libc::O_TRUNC).open(&victim.path).unwrap());
    assert_eq!(fs::metadata(&victim.path).unwrap().len(), 0);
    child.tell("sum");
    assert_eq!(child.end().signal(), Some(libc::SIGBUS));
}

/// The kernel does not count the maker of such a file among those who have it open for writing.
#[cfg(target_os = "linux")]
#[test]
fn a_file_without_a_name_is_read_instead_of_leased() {
    let victim = a_victim();
    // SAFETY: the name ends with a zero; the descriptor is new and nobody else's.
    let mut file = unsafe {
        use std::os::fd::FromRawFd;
        File::from_raw_fd(libc::memfd_create(c"victim".as_ptr(), 0))
    };
    file.write_all(&victim.bytes).unwrap();
    let path = format!("/proc/{}/fd/{}", std::process::id(), std::os::fd::AsRawFd::as_raw_fd(&file));
    let mut child = Child::open("lease", &[Path::new(&path)]);
    assert_eq!(child.ask("state"), "in memory");
    file.set_len(0).unwrap();
    assert_eq!(child.ask("sum"), fingerprint(&victim.bytes));
    assert!(child.end().success());
}

#[test]
fn a_file_that_is_open_for_writing_is_read_instead_of_leased() {
    let victim = a_victim();
    let writer = victim.open_for_writing();
    let mut child = open_by(&victim, "lease");
    assert_eq!(child.ask("state"), "in memory");
    assert_eq!(child.ask("sum"), fingerprint(&victim.bytes));
    writer.set_len(0).unwrap();
    assert_eq!(child.ask("sum"), fingerprint(&victim.bytes));
    drop(writer);
    assert!(child.end().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_mapped_for_writing_is_read_instead_of_leased() {
    let victim = a_victim();
    let file = OpenOptions::new().read(true).write(true).open(&victim.path).unwrap();
    // SAFETY: nobody in this process has a slice of it.
    let map = unsafe { memmap2::MmapMut::map_mut(&file) }.unwrap();
    drop(file);
    let mut child = open_by(&victim, "lease");
    assert_eq!(child.ask("state"), "in memory");
    drop(map);
    assert!(child.end().success());
    is_leased(&mut open_by(&victim, "lease"));
}

/// On overlayfs the kernel grants a lease on a file that somebody has mapped for writing.
#[cfg(target_os = "linux")]
#[test]
fn a_file_on_a_file_system_without_leases_is_read() {
    let victim = a_victim();
    let folder = TempDir::new().unwrap();
    for part in ["lower", "upper", "work", "all"] {
        fs::create_dir(folder.path().join(part)).unwrap();
    }
    fs::copy(&victim.path, folder.path().join("upper/victim")).unwrap();
    let mounted = |what: &str| {
        let mount = "mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work all";
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c"]);
        command.arg(format!("cd \"$0\" && {mount} && {what}")).arg(folder.path());
        command
    };
    if !mounted("true").stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        eprintln!("this user may not mount an overlay: what is said of file systems without leases is not tested here");
        return;
    }
    let mut command = mounted("exec \"$@\"");
    command.arg(env::current_exe().unwrap());
    let mut child = Child::run(command, "lease", &[&folder.path().join("all/victim")]);
    assert_eq!(child.ask("state"), "in memory");
    assert_eq!(child.ask("sum"), fingerprint(&victim.bytes));
    assert!(child.end().success());
}

#[test]
fn a_reader_sees_the_same_bytes_while_a_lease_is_released() {
    let victim = a_victim();
    let mut child = open_by(&victim, "lease");
    is_leased(&mut child);
    child.ask("read on");
    let file = victim.open_for_writing();
    file.write_all_at(&vec![0; victim.bytes.len()], 0).unwrap();
    file.set_len(0).unwrap();
    assert_eq!(child.ask("stop reading"), "always the same");
    assert_eq!(child.ask("sum"), fingerprint(&victim.bytes));
    assert!(child.end().success());
}

/// A line to a pipe whose reader may be dead.
fn tell(pipe: &mut impl Write, line: &str) {
    let _ = writeln!(pipe, "{line}").and_then(|()| pipe.flush());
}
