//! The environment variables that the command reads, declared once: the help of all commands, the page of the manual and the site show them.

/// A variable, and its effect.
pub(crate) struct Variable {
    pub(crate) name: &'static str,
    pub(crate) effect: &'static str,
}

/// All of them.
pub(crate) const VARIABLES: &[Variable] = &[
    of("NO_COLOR", "no colours, unless --color or skelmap.toml says always"),
    of("CLICOLOR_FORCE", "colours also where the output is no terminal"),
    of("COLUMNS", "the width of tables and of help"),
    of("TERM", "dumb: no progress bar"),
    of("XDG_CONFIG_HOME, HOME", "the folder of the user's skelmap.toml"),
    of("APPDATA", "the same on Windows"),
    of("AWS_*", "credentials and endpoints of S3"),
    of("GOOGLE_*", "credentials of Google Cloud"),
    of("AZURE_*", "credentials and endpoints of Azure"),
    of("HTTP_PROXY, HTTPS_PROXY", "the proxy for stores and web servers"),
    of("ALL_PROXY, NO_PROXY", "the same for all of them; hosts without a proxy"),
];

const fn of(name: &'static str, effect: &'static str) -> Variable {
    Variable { name, effect }
}

/// The variables as a part of a help text.
pub(crate) fn help() -> String {
    let line = |variable: &Variable| format!("  {:<24} {}\n", variable.name, variable.effect);
    format!("Environment variables:\n{}", VARIABLES.iter().map(line).collect::<String>())
}
