//! A small web server with objects in memory: ranges, tags, and every fault that a test asks for.
//!
//! After RFC 9110 (ranges: section 14; If-Match: section 13.1.1). Independent of the crate.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What the server does wrong with the objects below a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// So many requests are answered with this status, with a body of text.
    Status(u16, usize),
    /// Every request is answered with this status, with a body that is not UTF-8.
    BinaryStatus(u16),
    /// Every request is answered with this status, with a body that ends in the middle, and so does the connection.
    CutStatus(u16),
    /// So many bodies end in the middle, and so does the connection.
    Cut(usize),
    /// The body is complete and shorter than its range says.
    Short,
    /// The body goes on after its range.
    Long,
    /// The body never ends.
    Endless,
    /// The body of an error never ends.
    EndlessError,
    /// The whole object, whatever the range.
    NoRanges,
    /// Another range than the one that was asked for.
    OtherRange,
    /// This text in the place of a range.
    ContentRange(&'static [u8]),
    /// An object of five terabytes.
    Huge,
    /// A new tag for each answer; `If-Match` is ignored.
    NewTags,
    /// The object is replaced after so many requests.
    Replaced(usize),
    /// Back to the same address.
    Redirect,
    /// To the same path, without a query, at another port.
    RedirectTo(u16),
    /// A tag in this number of answers, and none afterwards.
    TagLost(usize),
    /// A byte a second.
    Slow,
    /// No tag and no date.
    NoTag,
    /// No tag; an object that is a byte longer after so many requests.
    Grown(usize),
    /// No tag; another byte at this offset from the second request on.
    Altered(usize),
}

struct Shared {
    objects: HashMap<String, Vec<u8>>,
    faults: Vec<(&'static str, Fault)>,
    delay: Duration,
    /// The requests of each folder with a fault.
    counts: Mutex<HashMap<&'static str, usize>>,
    requests: AtomicUsize,
    /// Requests in work, and the most of them at one time.
    now: AtomicUsize,
    most: AtomicUsize,
    sent: AtomicU64,
    lines: Mutex<Vec<String>>,
    heads: Mutex<Vec<String>>,
}

/// A server that ends with the test.
pub struct Server {
    pub port: u16,
    shared: Arc<Shared>,
}

impl Server {
    /// Serves objects by path (`/mod.zip`). A fault belongs to every path that begins as it says.
    pub fn new(objects: &[(&str, &[u8])], faults: &[(&'static str, Fault)], delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared {
            objects: objects.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect(),
            faults: faults.to_vec(),
            delay,
            counts: Mutex::default(),
            requests: AtomicUsize::new(0),
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            sent: AtomicU64::new(0),
            lines: Mutex::default(),
            heads: Mutex::default(),
        });
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&serving);
                thread::spawn(move || {
                    let _ = serve(&stream, &shared);
                });
            }
        });
        Self { port, shared }
    }

    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn requests(&self) -> usize {
        self.shared.requests.load(Ordering::SeqCst)
    }

    pub fn most_at_once(&self) -> usize {
        self.shared.most.load(Ordering::SeqCst)
    }

    /// Bytes of bodies.
    pub fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::SeqCst)
    }

    /// The first lines of the requests, each with its range and its `If-Match`.
    pub fn lines(&self) -> Vec<String> {
        self.shared.lines.lock().unwrap().clone()
    }

    /// Everything that arrived before the bodies: the first lines and all headers.
    pub fn heads(&self) -> Vec<String> {
        self.shared.heads.lock().unwrap().clone()
    }
}

struct Request {
    method: String,
    path: String,
    range: Option<String>,
    if_match: Option<String>,
    head: String,
}

fn read_request(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    drop(words);
    let mut request = Request { method, path, range: None, if_match: None, head: line };
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        request.head.push_str(&header);
        let Some((name, value)) = header.trim().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "range" => request.range = Some(value.trim().to_owned()),
            "if-match" => request.if_match = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    Some(request)
}

fn serve(stream: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(request) = read_request(&mut reader) {
        let Request { method, path, range, if_match, head } = &request;
        shared.heads.lock().unwrap().push(head.clone());
        shared.lines.lock().unwrap().push(format!("{method} {path} {range:?} {if_match:?}"));
        shared.requests.fetch_add(1, Ordering::SeqCst);
        let now = shared.now.fetch_add(1, Ordering::SeqCst) + 1;
        shared.most.fetch_max(now, Ordering::SeqCst);
        thread::sleep(shared.delay);
        // Before the answer: the client may ask for more as soon as it has it.
        shared.now.fetch_sub(1, Ordering::SeqCst);
        if !answer(stream, shared, &request)? {
            break;
        }
    }
    Ok(())
}

/// The range of a request in an object of a size.
fn range_of(text: &str, size: u64) -> Option<Range<u64>> {
    let (start, end) = text.strip_prefix("bytes=")?.split_once('-')?;
    let range = match (start.parse::<u64>(), end.parse::<u64>()) {
        (Ok(start), Ok(end)) => start..size.min(end + 1),
        (Ok(start), Err(_)) => start..size,
        (Err(_), Ok(last)) => size.saturating_sub(last)..size,
        _ => return None,
    };
    (range.start < range.end).then_some(range)
}

/// The answers that are the same whatever the object. Whether the connection goes on; `None` for other faults.
fn raw_answer(mut stream: &TcpStream, fault: Fault, path: &str) -> std::io::Result<Option<bool>> {
    let mut lead = |to: &str| {
        stream.write_all(format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n").as_bytes())?;
        Ok(Some(true))
    };
    match fault {
        Fault::Redirect => lead(path),
        Fault::RedirectTo(port) => {
            lead(&format!("http://127.0.0.1:{port}{}", path.split('?').next().unwrap_or_default()))
        }
        Fault::BinaryStatus(status) => {
            stream.write_all(format!("HTTP/1.1 {status} Fault\r\nContent-Length: 4\r\n\r\n").as_bytes())?;
            stream.write_all(&[0x1F, 0x8B, 0xFF, 0xFE])?;
            Ok(Some(true))
        }
        Fault::CutStatus(status) => {
            stream.write_all(format!("HTTP/1.1 {status} Fault\r\nContent-Length: 1000\r\n\r\n<html>").as_bytes())?;
            Ok(Some(false))
        }
        Fault::ContentRange(text) => {
            stream.write_all(b"HTTP/1.1 206 Partial Content\r\nETag: \"tag\"\r\nContent-Range: ")?;
            stream.write_all(text)?;
            stream.write_all(b"\r\nContent-Length: 5\r\n\r\nbytes")?;
            Ok(Some(true))
        }
        _ => Ok(None),
    }
}

/// The size that the answer to a request states.
fn size_of(object: &[u8], fault: Fault, count: usize) -> u64 {
    match fault {
        Fault::Huge => 5 << 40,
        Fault::Grown(after) if count > after => object.len() as u64 + 1,
        _ => object.len() as u64,
    }
}

/// Whether the answer to a request has no tag.
fn has_no_tag(fault: Fault, count: usize) -> bool {
    match fault {
        Fault::NoTag | Fault::Grown(_) | Fault::Altered(_) => true,
        Fault::TagLost(after) => count > after,
        _ => false,
    }
}

/// Answers one request. Whether the connection goes on.
fn answer(mut stream: &TcpStream, shared: &Shared, request: &Request) -> std::io::Result<bool> {
    let path = request.path.split('?').next().unwrap_or_default();
    let (folder, fault) =
        shared.faults.iter().find(|(start, _)| path.starts_with(start)).copied().unwrap_or(("", Fault::None));
    let count = {
        let mut counts = shared.counts.lock().unwrap();
        let count = counts.entry(folder).or_default();
        *count += 1;
        *count
    };
    if let Some(goes_on) = raw_answer(stream, fault, &request.path)? {
        return Ok(goes_on);
    }
    let mut head = |status: &str, headers: &str, length: Option<u64>| {
        let length = length.map(|length| format!("Content-Length: {length}\r\n")).unwrap_or_default();
        let date = if fault == Fault::NoTag { "" } else { "Last-Modified: Sat, 01 Jan 2000 12:00:00 GMT\r\n" };
        stream.write_all(format!("HTTP/1.1 {status}\r\n{date}{headers}{length}\r\n").as_bytes())
    };
    match fault {
        Fault::Status(status, times) if count <= times => {
            let text = b"<html>secret details of the server</html>";
            head(&format!("{status} Fault"), "", Some(text.len() as u64))?;
            stream.write_all(text)?;
            return Ok(true);
        }
        Fault::EndlessError => {
            head("500 Fault", "Transfer-Encoding: chunked\r\n", None)?;
            return endless(stream, shared, true);
        }
        _ => {}
    }
    let Some(object) = shared.objects.get(path) else {
        head("404 Not Found", "", Some(0))?;
        return Ok(true);
    };
    let size = size_of(object, fault, count);
    let is_replaced = matches!(fault, Fault::Replaced(after) if count > after);
    let tag = match fault {
        Fault::NewTags => format!("\"tag{count}\""),
        _ if is_replaced => "\"new\"".to_owned(),
        _ => "\"tag\"".to_owned(),
    };
    let has_no_tag = has_no_tag(fault, count);
    let is_other = request.if_match.as_ref().is_some_and(|wanted| *wanted != tag);
    if is_other && fault != Fault::NewTags && !has_no_tag {
        head("412 Precondition Failed", "", Some(0))?;
        return Ok(true);
    }
    let tag = if has_no_tag { String::new() } else { format!("ETag: {tag}\r\n") };
    let wanted = request.range.as_ref().filter(|_| fault != Fault::NoRanges);
    let asked = wanted.and_then(|text| range_of(text, size));
    if wanted.is_some() && asked.is_none() {
        head("416 Range Not Satisfiable", &format!("Content-Range: bytes */{size}\r\n"), Some(0))?;
        return Ok(true);
    }
    let range = asked.clone().unwrap_or(0..size);
    let byte = |at: u64| {
        let is_altered = matches!(fault, Fault::Altered(altered) if count > 1 && altered as u64 == at);
        object.get(at as usize).copied().unwrap_or(0) ^ u8::from(is_altered)
    };
    let mut body: Vec<u8> = if request.method == "HEAD" { Vec::new() } else { range.clone().map(byte).collect() };
    let told = if fault == Fault::OtherRange { range.start + 1..range.end + 1 } else { range.clone() };
    let (status, headers) = match asked {
        Some(_) => {
            ("206 Partial Content", format!("{tag}Content-Range: bytes {}-{}/{size}\r\n", told.start, told.end - 1))
        }
        None => ("200 OK", tag),
    };
    if request.method == "HEAD" {
        head(status, &headers, Some(size))?;
        return Ok(true);
    }
    match fault {
        Fault::Short => body.truncate(body.len() / 2),
        Fault::Long => body.extend_from_slice(&[0; 100]),
        _ => {}
    }
    let length = if fault == Fault::Endless { 1 << 40 } else { body.len() as u64 };
    head(status, &headers, Some(length))?;
    if fault == Fault::Endless {
        return endless(stream, shared, false);
    }
    shared.sent.fetch_add(body.len() as u64, Ordering::SeqCst);
    match fault {
        Fault::Cut(times) if count <= times => {
            stream.write_all(&body[..body.len() / 2])?;
            return Ok(false);
        }
        Fault::Slow => {
            for byte in body {
                stream.write_all(&[byte])?;
                thread::sleep(Duration::from_secs(1));
            }
            return Ok(true);
        }
        _ => stream.write_all(&body)?,
    }
    Ok(true)
}

/// Bytes or chunks until the client goes away, and no more than 64 MiB: the test fails then, and the machine does not.
fn endless(mut stream: &TcpStream, shared: &Shared, is_chunked: bool) -> std::io::Result<bool> {
    let mut chunk = vec![b'x'; 1 << 16];
    if is_chunked {
        chunk.splice(..0, *b"10000\r\n");
        chunk.extend_from_slice(b"\r\n");
    }
    for _ in 0..1024 {
        stream.write_all(&chunk)?;
        shared.sent.fetch_add(chunk.len() as u64, Ordering::SeqCst);
    }
    Ok(false)
}
