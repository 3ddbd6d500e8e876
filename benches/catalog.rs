//! What many assets cost: the headers of an archive's models and all their data, loose files, the directory of an archive, and
//! inflating.
//!
//! `cargo bench -p skelmap-bench --bench catalog` measures everything in about a minute and ends with the table of ratios; with
//! `-- archive` after it, only what matches. `SKELMAP_ARCHIVE=$PWD/public.zip` before it names an archive of the game (0 A.D.) to
//! measure; without it, one of the same shape is generated.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::{Decompress, FlushDecompress, Status};
use memmap2::Mmap;
use rayon::{ThreadPool, ThreadPoolBuilder};
use skelmap::ParseOptions;
use skelmap::archive::{Archive, Inflater, Limits};
use skelmap::mapping::Opener;
use skelmap_batch::items::{Loaded, Options, Sources};

use skelmap_bench::catalog::{files, floor, open};
use skelmap_bench::compare::{Comparison, Side, Target};
use skelmap_bench::run;

/// Both sides of every comparison use as many.
const THREADS: usize = 2;

/// Rows are checked, named and in order; the floor is nothing of that.
const AS_FLOOR: Target = Target::Time(1.2);

/// All that `check` looks for, in the time of so many sums.
const CHECKED: Target = Target::Time(1.5);

/// The index is checked and kept; `rawzip` walks over the records and forgets them.
const INDEXED: Target = Target::Speed(0.5);

/// Opening a file is what costs; reading its headers is not to cost half as much again.
const AS_OPENED: Target = Target::Speed(0.7);

type Comparisons<'a> = Vec<Comparison<'a>>;

fn main() {
    let files = Files::new(if run::measures() { 1 } else { 16 });
    let mut comparisons = Vec::new();
    files.compare_archive(&mut comparisons);
    files.compare_checks(&mut comparisons);
    files.compare_loose(&mut comparisons);
    files.compare_parsing(&mut comparisons);
    files.compare_inflating(&mut comparisons);
    run::run(comparisons, Duration::from_millis(200), Duration::from_millis(700));
}

/// Everything that is read.
struct Files {
    pool: ThreadPool,
    opener: Opener,
    is_real: bool,
    archive: PathBuf,
    mapped: Mmap,
    found: Sources,
    loose: Sources,
    loose_paths: Vec<PathBuf>,
    deflated: Vec<u8>,
}

impl Files {
    /// Sizes are those that the ids tell, divided by `divisor`.
    fn new(divisor: u32) -> Self {
        let opener = open::opener();
        let find = |path: &Path| Sources::find(&[path.to_owned()], &opener, &Limits::default());
        let real = files::real_archive();
        let is_real = real.is_some();
        let archive = real.unwrap_or_else(|| written(files::archive(36_000 / divisor)));
        let loose = find(&written(files::loose(2000 / divisor)));
        Self {
            pool: ThreadPoolBuilder::new().num_threads(THREADS).build().expect("threads can be started"),
            is_real,
            mapped: open::map(&archive),
            found: find(&archive),
            archive,
            loose_paths: loose.items().iter().map(|item| item.address().path().to_owned()).collect(),
            loose,
            opener,
            deflated: files::deflated(1 << 20),
        }
    }

    /// Opened and mapped anew each time.
    fn compare_archive<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let path = if self.is_real { "catalog/archive/real" } else { "catalog/archive/generated" };
        let count = self.pool.install(|| floor::fastest(&self.archive));
        let floor = move || self.pool.install(|| count(&self.archive));
        let paths = [self.archive.clone()];
        let rows = move || {
            self.pool.install(|| {
                let sources = Sources::find(&paths, &self.opener, &Limits::default());
                Self::count_rows(&sources, &Options::default())
            })
        };
        let counts = floor();
        assert_eq!(rows(), counts, "rows count something else");
        let models = u32::try_from(counts.models).expect("a directory has fewer than 2^32 entries");
        comparisons.push(
            Comparison::new(path, Side::new("floor", floor))
                .with(Side::new("skelmap", rows).promises(AS_FLOOR))
                .making(models, "models"),
        );
    }

    /// Over a map whose pages have been touched: what is measured is the reading.
    fn compare_checks<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let path = if self.is_real { "check/archive/real" } else { "check/archive/generated" };
        let models = floor::models(&self.mapped);
        let bytes = models.iter().map(|model| model.len()).sum::<usize>();
        let bytes = u32::try_from(bytes).expect("models have fewer than 2^32 bytes");
        let check = move || {
            let options = ParseOptions::default();
            let findings = |loaded: Loaded| loaded.asset().ok().map(|asset| asset.check().len());
            self.pool.install(|| self.found.each(&options, |_, loaded| findings(loaded.ok()?)).sum::<usize>())
        };
        let sum = move || self.pool.install(|| floor::sum(&models));
        comparisons.push(
            Comparison::new(path, Side::new("sum", sum))
                .with(Side::new("skelmap", check).promises(CHECKED))
                .making(bytes, "bytes")
                .slow(),
        );
    }

    fn compare_loose<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let with_content = Options { joins: true, content_hash: true, ..Options::default() };
        let rows = |options| move || self.pool.install(|| Self::count_rows(&self.loose, &options));
        let bare = move || self.pool.install(|| floor::open_each(&self.loose_paths));
        let headers = rows(Options::default());
        assert_eq!(headers().models, self.loose_paths.len() as u64, "each file has a row");
        comparisons.push(
            Comparison::new("catalog/loose/2000x82KB", Side::new("bare", bare))
                .with(Side::new("headers", headers).promises(AS_OPENED))
                .with(Side::new("whole", rows(with_content))),
        );
    }

    fn compare_parsing<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let bytes: &[u8] = &self.mapped;
        let entries = Archive::parse(bytes).expect("the archive is sound").len();
        assert_eq!(floor::walk(bytes).0, entries, "rawzip counts other entries");
        let count = u32::try_from(entries).expect("a directory has fewer than 2^32 entries");
        comparisons.push(
            Comparison::new("archive/parse/36k-entries", Side::new("rawzip", move || floor::walk(black_box(bytes))))
                .with(Side::new("skelmap", move || Archive::parse(black_box(bytes))).promises(INDEXED))
                .making(count, "entries"),
        );
    }

    fn compare_inflating<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let archive = Archive::parse(&self.deflated).expect("the archive is sound");
        let entry = archive.get(0).expect("the archive has an entry");
        let raw = archive.raw(&entry).expect("the entry is sound").to_vec();
        let size = usize::try_from(entry.size()).expect("the entry fits into memory");
        let mut inflater = Inflater::new();
        let inflate = move || {
            let entry = archive.get(black_box(0)).expect("the archive has an entry");
            archive.read(&entry, &mut inflater).map(<[u8]>::len)
        };
        let (mut state, mut buffer) = (Decompress::new(false), Vec::with_capacity(size + 1));
        let plain = move || {
            state.reset(false);
            buffer.clear();
            let status = state.decompress_vec(black_box(&raw), &mut buffer, FlushDecompress::Finish);
            assert!(matches!(status, Ok(Status::StreamEnd)), "the data is sound");
            buffer.len()
        };
        let bytes = u32::try_from(size).expect("the entry has about a million bytes");
        comparisons.push(
            Comparison::new("archive/read/deflated/1MiB", Side::new("flate2", plain))
                .with(Side::new("skelmap", inflate))
                .making(bytes, "bytes"),
        );
    }

    /// What all rows count, on the threads of the current pool.
    fn count_rows(sources: &Sources, options: &Options) -> floor::Counts {
        let mut counts = floor::Counts::default();
        for row in sources.rows(options) {
            assert_eq!(row.error, None, "{} is sound", row.path);
            let summary = row.summary;
            let records = [summary.points, summary.faces, summary.bones, summary.frames];
            counts.models += 1;
            counts.records += records.into_iter().flatten().sum::<u64>();
        }
        counts
    }
}

/// The path of a file of the benchmarks' own.
fn written(file: std::io::Result<PathBuf>) -> PathBuf {
    file.expect("the target folder can be written to")
}
