//! Arguments that say which files of a folder are looked at.

use clap::Args;
use skelmap_batch::Walk;

const FOLDERS: &str = "Folders";

// Which files of a folder are looked at. Comments of flattened arguments are not doc comments.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Walking {
    /// Look at hidden files and folders too: those whose names begin with a dot.
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    hidden: bool,
    /// Look at files too that .gitignore, .ignore or the exclude file of git names.
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    no_ignore: bool,
    /// Follow symbolic links to files and folders.
    #[arg(long, help_heading = FOLDERS, hide_short_help = true)]
    follow: bool,
    /// Leave out files and folders of folders that match, as a line of .gitignore does; can be given several times.
    #[arg(long, value_name = "GLOB", help_heading = FOLDERS, hide_short_help = true)]
    exclude: Vec<String>,
}

impl Walking {
    /// How folders are walked.
    pub(crate) fn to_walk(&self) -> Walk {
        let Self { hidden, no_ignore, follow, exclude } = self.clone();
        Walk { hidden, no_ignore, follow, exclude }
    }
}
