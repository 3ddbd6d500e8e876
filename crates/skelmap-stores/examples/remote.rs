//! The cost of an archive in a store: `cargo run -p skelmap-stores --example remote -- corpus/fox.pyromod > costs.tsv`
//!
//! Serves the archive over HTTP on this machine, with a delay of 30 ms (or the second argument) before each answer, and reads
//! it: the directory, the rows, all data. Compares the rows with those of the file. Prints the requests, the maximum of
//! concurrent requests, the bytes, and the seconds of each.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};
use std::{fs::File, io, thread};

use skelmap::ParseOptions;
use skelmap::archive::{Limits, OpenArchive};
use skelmap::mapping::Opener;
use skelmap_batch::items::{Options, Row, Sources};
use skelmap_stores::Remote;

/// The file, and the current and maximum number of concurrent requests.
struct Served {
    path: PathBuf,
    size: u64,
    delay: Duration,
    now: AtomicUsize,
    most: AtomicUsize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(arguments.next().ok_or("expected the path of an archive")?);
    let delay = Duration::from_millis(arguments.next().map_or(Ok(30), |text| text.parse())?);
    let size = path.metadata()?.len();
    let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let served = Arc::new(Served { path: path.clone(), size, delay, now, most });
    let address = PathBuf::from(serve(&served)?);

    println!("read\trequests\tmost at once\tMB\ts");
    measure("directory", &served, |opener| {
        OpenArchive::open(&address, opener, &Limits::default()).map_or(0, |archive| archive.entries().len())
    });
    let found = measure("rows", &served, |opener| rows(&address, opener));
    let expected = rows(&path, &Opener::reading());
    assert_eq!(found, expected, "the rows of the store are those of the file");
    measure("all data", &served, |opener| {
        let sources = Sources::find(std::slice::from_ref(&address), opener, &Limits::default());
        let options = ParseOptions::default();
        let opened = sources.each(&options, |item, opened| {
            opened.ok().map(|loaded| item.check_checksum(loaded.bytes()).expect("the bytes of the archive"))
        });
        assert_eq!(opened.count(), expected.len());
    });
    Ok(())
}

/// The rows of an archive, without its path.
fn rows(archive: &Path, opener: &Opener) -> Vec<Row> {
    let sources = Sources::find(&[archive.to_owned()], opener, &Limits::default());
    let options = Options { joins: true, ..Options::default() };
    let mut rows: Vec<Row> = sources.rows(&options).collect();
    for row in &mut rows {
        row.path.clear();
    }
    rows
}

fn measure<T>(what: &str, served: &Served, work: impl FnOnce(&Opener) -> T) -> T {
    served.most.store(0, SeqCst);
    let remote = Remote::new(skelmap_stores::Options::default());
    let begin = Instant::now();
    let result = work(&Opener::reading().with_store(Arc::new(remote.clone())));
    let (usage, seconds) = (remote.usage(), begin.elapsed().as_secs_f64());
    let megabytes = Duration::from_micros(usage.bytes).as_secs_f64();
    println!("{what}\t{}\t{}\t{megabytes:.2}\t{seconds:.3}", usage.requests, served.most.load(SeqCst));
    result
}

/// Starts the server and returns the address of the archive.
fn serve(served: &Arc<Served>) -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}/archive.zip", listener.local_addr()?);
    let served = Arc::clone(served);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let served = Arc::clone(&served);
            thread::spawn(move || answer_all(&stream, &served));
        }
    });
    Ok(address)
}

/// Answers the requests of a connection. Each has a range.
fn answer_all(mut stream: &TcpStream, served: &Served) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let (mut range, mut file) = (String::new(), File::open(&served.path)?);
    while let Some(line) = lines.next().transpose()? {
        if let Some(text) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
            text.clone_into(&mut range);
        }
        if !line.is_empty() {
            continue;
        }
        let now = served.now.fetch_add(1, SeqCst) + 1;
        served.most.fetch_max(now, SeqCst);
        thread::sleep(served.delay);
        let number = |text: &str| text.parse::<u64>().ok();
        let (start, end) = match range.split_once('-').map(|(start, end)| (number(start), number(end))) {
            Some((Some(start), Some(end))) => (start, served.size.min(end + 1)),
            Some((None, Some(last))) => (served.size.saturating_sub(last), served.size),
            _ => return Ok(()),
        };
        let mut body = vec![0; usize::try_from(end - start).unwrap_or(0)];
        file.seek(SeekFrom::Start(start)).and_then(|_| file.read_exact(&mut body))?;
        let (last, length, size) = (end - 1, body.len(), served.size);
        let head = format!(
            "HTTP/1.1 206 Partial Content\r\nETag: \"1\"\r\nLast-Modified: Sat, 01 Jan 2000 12:00:00 GMT\r\n\
             Content-Range: bytes {start}-{last}/{size}\r\nContent-Length: {length}\r\n\r\n"
        );
        let sent = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        served.now.fetch_sub(1, SeqCst);
        sent?;
    }
    Ok(())
}
