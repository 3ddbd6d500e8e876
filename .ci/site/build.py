"""Generates, runs, builds and checks the site: see docs/site/README.md. Called by .ci/site/run. Python 3.11, the standard library alone."""

import ast
import html.parser
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs/site"
PAGES = SITE / "src"
OUT = ROOT / "target/site"
SOURCES, RUNS, BOOK = OUT / "src", OUT / "run", OUT / "book"
SKELMAP = ROOT / "target/release/skelmap"
VENV = ROOT / "target/tools/site/venv/bin"
DOCS = "https://docs.rs"
FENCE = re.compile(r"^(```+)([\w,+-]*)\s*$")
INCLUDE = re.compile(r"^\{\{#include ([^}]+)\}\}$", re.M)
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s]+)(\))")
SECONDS = 120
# Places that have no https.
WITHOUT_HTTPS = ("http://swat3.furrycat.net/",)


class Faults(list):
    """What is wrong, all of it before the end."""

    def say(self, text):
        self.append(text)
        print(f"site: {text}", file=sys.stderr)


faults = Faults()


# Blocks: the code of a page, in order.


class Block:
    def __init__(self, page, line, kind, text, reason, included):
        self.page, self.line, self.kind, self.text = page, line, kind, text
        # Why it is not run, if it is not.
        self.reason = reason
        self.included = included
        # What it prints, if the page shows that: the block after it.
        self.shown = None

    def place(self):
        return f"{self.page}, line {self.line}"


def blocks_of(page, text, included=False):
    """The blocks of a text. A comment `<!-- norun: REASON -->` says why the next block is not run, `<!-- norun page: REASON -->` why no
    block is."""
    found, reason, fence, start, lines, near = [], None, None, 0, [], None
    whole = re.search(r"^<!-- norun page: (.*) -->$", text, re.M)
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if fence is None and match:
            fence, kind, start, lines = match[1], match[2], number, []
        elif fence is not None and line.rstrip() == fence:
            block = Block(page, start, kind.split(",")[0], "\n".join(lines) + "\n", whole[1] if whole else reason, included)
            if block.kind == "text" and near is not None and number - len(lines) - near[0] <= 3:
                near[1].shown = block
            near = (number, block)
            found.append(block)
            fence, reason = None, None
        elif fence is not None:
            lines.append(line)
        elif note := re.match(r"^<!-- norun: (.*) -->$", line):
            reason = note[1]
        elif line.strip():
            near = None
    return found


def same(shown, printed):
    """Whether a page shows what was printed. `...` is any text in a line, and, alone in a line, any lines."""
    lines = [re.escape(line.rstrip()).replace(r"\.\.\.", ".*") for line in shown.rstrip("\n").split("\n")]
    pattern = "".join(r"(?:.*\n)*" if line == ".*" else f"{line}\n" for line in lines)
    text = "".join(f"{line.rstrip()}\n" for line in printed.rstrip("\n").split("\n"))
    return re.fullmatch(pattern, text) is not None


# Runs: each page in a fresh folder.

DRIVER = """
import contextlib, io, json, sys, traceback
lines, names = sys.stdin, {"__name__": "__main__"}
for line in lines:
    out, is_good = io.StringIO(), True
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            exec(compile(json.loads(line), "<page>", "exec"), names)
        except BaseException:
            traceback.print_exc()
            is_good = False
    print(json.dumps([is_good, out.getvalue()]), flush=True)
"""


def with_status(text):
    """`COMMAND  # status N`: this command ends with N. All others end with 0."""
    lines = []
    for line in text.splitlines():
        match = re.match(r"^(.*?)\s*# status (\d+)$", line)
        lines.append(f"code=0; {{ {match[1]}\n}} || code=$?; [ $code -eq {match[2]} ]" if match else line)
    return "\n".join(lines) + "\n"


class Runner:
    def __init__(self, page, environment):
        self.folder = RUNS / page.with_suffix("")
        self.folder.mkdir(parents=True)
        shutil.copytree(ROOT / "corpus", self.folder / "corpus")
        # The root of a repository, as a checkout is: the commands name files from here.
        (self.folder / ".git").mkdir()
        # Reading alone: files that are odd on purpose.
        (self.folder / "tests").symlink_to(ROOT / "tests")
        self.environment = environment
        self.python = None

    def sh(self, block):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", with_status(block.text)], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False,
        )
        return done.returncode == 0, done.stdout.decode(errors="replace")

    def python_program(self, block):
        if self.python is None:
            self.python = subprocess.Popen(
                [VENV / "python", "-c", DRIVER], cwd=self.folder, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        self.python.stdin.write(json.dumps(block.text) + "\n")
        self.python.stdin.flush()
        return json.loads(self.python.stdout.readline())

    def rust(self, block):
        program = block.program
        done = subprocess.run(
            [program], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False
        )
        return done.returncode == 0, done.stdout.decode(errors="replace")

    def end(self):
        if self.python is not None:
            self.python.stdin.close()
            self.python.wait()


def build_rust(blocks):
    """One package with a program for each block, with what the command is built with."""
    package = OUT / "rust"
    (package / "src/bin").mkdir(parents=True)
    uses = {
        "skelmap": ["archive", "bytemuck", "lease"],
        "skelmap-batch": ["stores", "tables", "textures"],
        "skelmap-export": [],
        "skelmap-preview": [],
        "skelmap-stores": [],
        "skelmap-write": [],
    }
    lines = ['[package]\nname = "site"\nedition = "2024"\n\n[workspace]\n\n[dependencies]']
    for name, features in uses.items():
        path = ROOT if name == "skelmap" else ROOT / "crates" / name
        lines.append(f"{name} = {{ path = {json.dumps(str(path))}, features = {json.dumps(features)} }}")
    # Each runs once.
    lines += ["[profile.release.package.site]", "opt-level = 0"]
    (package / "Cargo.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(ROOT / "Cargo.lock", package)
    for number, block in enumerate(blocks):
        (package / f"src/bin/block_{number}.rs").write_text(block.text, encoding="utf-8")
        block.program = ROOT / f"target/release/block_{number}"
    command = ["cargo", "build", "--quiet", "--release", "--manifest-path", package / "Cargo.toml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        sys.exit("site: the Rust programs do not compile")


def run_all(blocks, is_writing):
    """Runs the blocks; returns how many commands and programs ran, and what did not run."""
    environment = {**os.environ, "PATH": f"{SKELMAP.parent}:{VENV}:{os.environ['PATH']}", "NO_COLOR": "1", "COLUMNS": "120", "MPLBACKEND": "Agg",
                   "GIT_CEILING_DIRECTORIES": str(RUNS)}  # fmt: skip
    kinds = {"sh": Runner.sh, "python": Runner.python_program, "rust": Runner.rust}
    left = {}
    chosen = []
    for block in blocks:
        if block.kind == "console":
            faults.say(f"{block.place()}: a block `console`; write `sh`, and `text` for what it prints")
        if block.kind not in kinds:
            continue
        if block.reason is None:
            chosen.append(block)
        else:
            left.setdefault(block.reason, []).append(block)
    rust = [block for block in chosen if block.kind == "rust"]
    if rust:
        build_rust(rust)

    def run_page(page):
        runner = Runner(page, environment)
        commands, programs, changes = 0, 0, []
        for block in chosen:
            if block.page != page:
                continue
            try:
                is_good, printed = kinds[block.kind](runner, block)
            except subprocess.TimeoutExpired:
                is_good, printed = False, f"it took more than {SECONDS} s"
            if block.kind == "sh":
                commands += sum(1 for line in block.text.splitlines() if line.strip() and not line.startswith((" ", "#")))
            else:
                programs += 1
            if not is_good:
                faults.say(f"{block.place()}: the block failed:\n{block.text}\n{printed}")
            elif block.shown is not None and not same(block.shown.text, printed):
                if is_writing and not block.included:
                    changes.append((block.shown, printed))
                else:
                    faults.say(f"{block.shown.place()}: the page shows\n{block.shown.text}\nand the block printed\n{printed}")
        runner.end()
        return commands, programs, changes

    # Each page has a folder of its own.
    pages = list(dict.fromkeys(block.page for block in chosen))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        ran = list(pool.map(run_page, pages))
    for page, (_, _, changes) in zip(pages, ran, strict=True):
        if not changes:
            continue
        lines = (PAGES / page).read_text(encoding="utf-8").splitlines()
        for shown, printed in reversed(changes):
            new = [line.rstrip() for line in printed.rstrip("\n").split("\n")]
            lines[shown.line : shown.line + shown.text.count("\n") - (shown.text == "\n")] = new
        (PAGES / page).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return sum(one[0] for one in ran), sum(one[1] for one in ran), left


# Pages that are made from declarations.


def told(*arguments):
    """What the command prints."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run([SKELMAP, *arguments], env=environment, capture_output=True, text=True, check=True).stdout


def rows(*arguments):
    return [json.loads(line) for line in told(*arguments, "--format", "jsonl").splitlines()]


def cell(value):
    """A text in a cell of a table: without marks of Markdown, but for code."""
    parts = re.split(r"(`[^`]*`)", "" if value is None else str(value))
    return "".join(part if part.startswith("`") else re.sub(r"([<>*_])", r"\\\1", part) for part in parts).replace("|", r"\|")


def command_names():
    lines = told("--help").split("Commands:\n")[1].split("\n\n")[0].splitlines()
    return [tuple(line.split(None, 1)) for line in lines if not line.split()[0] == "help"]


def help_page(title, text):
    """A help text as a page: options as a list of terms, all else as it is printed."""
    lines = [f"# {title}", "", "This page is what `" + title + " --help` prints.", ""]
    first, _, rest = text.partition("\n\n")
    lines += [first.replace("<", "\\<"), ""]
    for part in re.split(r"\n(?=\S[^\n]*:\n)", "\n" + rest.strip("\n")):
        head, _, body = part.strip("\n").partition("\n")
        if head.endswith(":") and re.match(r"\s+(-|<)", body):
            lines += [f"## {head[:-1]}", ""]
            for item in re.split(r"\n\n?(?=\s{2,6}(?:-|<))", body.strip("\n")):
                name, _, meaning = item.partition("\n")
                paragraphs = [re.sub(r"\s+", " ", one).strip() for one in re.split(r"\n\s*\n", meaning) if "\n          - " not in "\n" + one]
                values = re.findall(r"\n\s+- (\S+):?\s+(.*(?:\n\s{12,}\S.*)*)", "\n" + meaning)
                lines += [f"**`{name.strip()}`**", ""]
                lines += [line for paragraph in paragraphs if paragraph for line in (cell(paragraph), "")]
                lines += [f"- `{value.rstrip(':')}`: {cell(re.sub(chr(92) + 's+', ' ', about))}" for value, about in values]
                lines += [""] if values else []
        else:
            if head == "Examples:":
                lines += ["## Examples", ""]
                part = "\n".join(line.removeprefix("  ") for line in body.split("\n"))
            lines += ["```text", part.strip("\n"), "```", ""]
    return "\n".join(lines) + "\n"


def commands_pages():
    names = command_names()
    index = ["# Commands", "", "Each page is the help of the command, made when the site is built.", "", "| command | does |", "|---|---|"]
    index += [f"| [`{name}`](commands/{name}.md) | {cell(about)} |" for name, about in names]
    index += ["", "## Exit status, global options", "", "```text", told("--help").split("\n\nOptions:\n")[1].strip("\n"), "```", ""]
    pages = {"reference/commands.md": "\n".join(index)}
    for name, _ in names:
        pages[f"reference/commands/{name}.md"] = help_page(f"skelmap {name}", told(name, "--help"))
    return pages


def columns_page():
    lines = ["# Columns", "", "Every column of every table, and every key of its JSON, as the commands declare them (`skelmap columns`).", ""]
    lines += ["A JSON Schema of all JSON: `skelmap columns --format schema`, which is [schema.json](../../../schema.json).", ""]
    groups = {}
    for row in rows("columns"):
        groups.setdefault((row["command"], row["array"]), []).append(row)
    for (command, array), group in groups.items():
        lines += [f"## {command}{f', {array}' if array else ''}", "", "| column | formats | type | unit | meaning |", "|---|---|---|---|---|"]
        lines += [
            f"| `{row['column']}`{' (' + cell(row['heading']) + ')' if row['heading'] else ''} | {cell(row['formats'] or 'all')} | {cell(row['type'])} "
            f"| {cell(row['unit'])} | {cell(row['meaning'])} |"
            for row in group
        ]
        lines.append("")
    return {"reference/columns.md": "\n".join(lines)}


def codes_page():
    lines = ["# Codes", "", "What errors, quirks and findings are called, as `skelmap explain` lists them. A code never changes its meaning.", ""]
    for row in rows("explain"):
        lines += [f"## {row['code']}", "", f"**{row['severity'] or 'quirk'}**: {cell(row['meaning'])}.", "", row["explanation"].replace("<", "\\<"), ""]
    return {"reference/codes.md": "\n".join(lines)}


def environment_page():
    """The variables as the help of all commands lists them, and those of the tests."""
    listed = told("--help").split("Environment variables:\n")[1].split("\n\n")[0]
    lines = ["# Environment variables", "", "The command reads these. [Stores](../how-to/stores.md) have a table of theirs.", "", "| variable | effect |", "|---|---|"]
    for line in listed.splitlines():
        names, effect = re.split(r" {2,}", line.strip(), maxsplit=1)
        lines.append(f"| {', '.join(f'`{name}`' for name in names.split(', '))} | {cell(effect)} |")
    lines += ["", "The tests of a checkout read `SKELMAP_SAMPLES` and `SKELMAP_ARCHIVE`: folders and archives of real files ([security](../explanation/security.md)).", ""]
    return {"reference/environment.md": "\n".join(lines)}


def rust_page():
    lines = ["# Rust API", "", "The crates, as their manifests describe them. `cargo doc --open --all-features` in a checkout builds the same pages.", ""]
    for manifest in [ROOT / "Cargo.toml", *sorted((ROOT / "crates").glob("*/Cargo.toml")), ROOT / "cli/Cargo.toml"]:
        text = manifest.read_text(encoding="utf-8")
        data = tomllib.loads(text)
        name = data["package"]["name"]
        lines += [f"## {name}", "", data["package"]["description"] + f". [API]({DOCS}/{name})", ""]
        features = [name for name in data.get("features", {}) if name != "default"]
        if features:
            lines += ["| feature | gives |", "|---|---|"]
            for feature in features:
                about = re.search(rf"((?:^# .*\n)+){re.escape(feature)} = ", text, re.M)
                lines.append(f"| `{feature}` | {cell(about[1].replace('# ', ' ').replace(chr(10), ' ').strip()) if about else ''} |")
            lines.append("")
    return {"reference/rust.md": "\n".join(lines)}


def signature(node):
    return f"{node.name}({ast.unparse(node.args)})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def python_page():
    """All public classes and functions of the package with the first sentence of their docs."""
    folder = ROOT / "python/python/skelmap"
    lines = ["# Python API", "", "Public classes and functions, from the sources of the package. `help(NAME)` has the rest: shapes, units, examples.", ""]
    exported = set()
    for node in ast.parse((folder / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            exported |= set(ast.literal_eval(node.value))
    for path in sorted(folder.glob("*.py"), key=lambda path: (not path.name.startswith("_"), path.name)):
        if path.name in ("__main__.py", "_native.pyi"):
            continue
        module = "skelmap" if path.name.startswith("_") else f"skelmap.{path.stem}"
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
                continue
            if module == "skelmap" and node.name not in exported:
                continue
            sentence = lambda text: text.split("\n\n")[0].replace("\n", " ").replace("<", "\\<")
            first = lambda node: sentence(ast.get_docstring(node) or "")
            if isinstance(node, ast.FunctionDef):
                lines += [f"## {module}.{node.name}", "", "```text", signature(node), "```", "", first(node), ""]
                continue
            lines += [f"## {module}.{node.name}", "", first(node), ""]
            for own, after in zip(node.body, [*node.body[1:], None], strict=True):
                # A field has its text behind it.
                if isinstance(own, ast.AnnAssign) and isinstance(own.target, ast.Name) and not own.target.id.startswith("_"):
                    is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str)
                    about = f": {sentence(inspect.cleandoc(after.value.value))}" if is_text else ""
                    lines.append(f"- `{own.target.id}: {ast.unparse(own.annotation)}`{about}")
                if isinstance(own, ast.FunctionDef) and not own.name.startswith("_"):
                    is_property = any(getattr(one, "id", "") == "property" or getattr(one, "attr", "") == "cached_property" for one in own.decorator_list)
                    shown = f"{own.name}: {ast.unparse(own.returns)}" if is_property and own.returns else signature(own).replace("(self, ", "(").replace("(self)", "()")
                    lines.append(f"- `{shown}`: {first(own)}")
            lines.append("")
    return {"reference/python-api.md": "\n".join(lines)}


# Links: sources name files of the checkout, and the book has its own places for them.


def copied(path):
    """A file of the checkout beside the book, so that a page can link to it; as text, which each browser shows."""
    relative = path.relative_to(ROOT)
    is_text = path.suffix not in (".png", ".svg", ".json", ".glb", ".html")
    target = Path("source") / (relative if not is_text else relative.with_suffix(".txt") if relative.suffix == ".md" else f"{relative}.txt")
    (SOURCES / target).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, SOURCES / target)
    return target


def rewrite(text, own, page, places):
    """A text with links that hold in the book. `own` is the file that the text is from, `page` the page that shows it."""

    def up(target):
        return os.path.relpath(target, page.parent)

    def link(match):
        target, _, fragment = match[2].partition("#")
        fragment = f"#{fragment}" if fragment else ""
        if re.match(r"^[a-z]+:|^#", match[2]) and not match[2].startswith("crate::"):
            return match[0]
        if target.startswith("crate::"):
            return f"{match[1]}{DOCS}/skelmap/latest/skelmap/?search={target.removeprefix('crate::')}{match[3]}"
        path = Path(os.path.normpath(own.parent / unquote(target)))
        if path in places:
            return f"{match[1]}{up(places[path])}{fragment}{match[3]}"
        if path.is_relative_to(PAGES):
            relative = path.relative_to(PAGES)
            made = RUNS / page.with_suffix("") / target
            if made.suffix == ".png" and made.name.endswith(".html.png") and not made.exists():
                screenshot(made)
            if made.is_file() and not path.exists():
                beside = page.with_suffix("") / target
                (SOURCES / beside).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(made, SOURCES / beside)
                return f"{match[1]}{up(beside)}{match[3]}"
            return f"{match[1]}{up(relative)}{fragment}{match[3]}"
        if path.is_dir() and (path / "README.md").is_file():
            path = path / "README.md"
        if not path.is_file():
            faults.say(f"{own.relative_to(ROOT)}: a link to {target}, which does not exist")
            return match[0]
        return f"{match[1]}{up(copied(path))}{match[3]}"

    # Code stays as it is.
    parts = re.split(r"(^```[^\n]*\n.*?^```$|`[^`\n]+`(?!\]\())", text, flags=re.M | re.S)
    joined, marks = "", []
    for part in parts:
        if part.startswith("```"):
            marks.append(part)
            joined += f"\0{len(marks) - 1}\0"
        else:
            joined += part
    joined = LINK.sub(link, joined)
    return re.sub(r"\0(\d+)\0", lambda match: marks[int(match[1])], joined)


def screenshot(path):
    """What a browser shows of a page of `skelmap view`; the committed picture where there is no browser."""
    own = path.with_suffix("")
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser and own.is_file():
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=3000", "--window-size=1200,720",
                   f"--screenshot={path}", own.as_uri()]  # fmt: skip
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
    if own.is_file() and not path.is_file():
        shutil.copy(ROOT / "docs/view.png", path)


def plain_rust(text):
    """Programs of rustdoc, which are tested there: named as Rust, without their hidden lines."""
    inside, lines = False, []
    for line in text.splitlines():
        if line.startswith("```"):
            if not inside and line == "```":
                line = "```rust"
            inside = not inside
        if inside and re.match(r"^# |^#$", line):
            continue
        lines.append(line)
    return "\n".join(lines) + "\n"


# Links of the book.


class Html(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.names = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.names.add(value)
            if name in ("href", "src") and value is not None:
                self.links.append(value)


def check_links():
    pages = {}
    for path in BOOK.rglob("*.html"):
        # The pages that the commands made have their own check (.ci/view/run).
        if (RUNS / path.relative_to(BOOK)).exists():
            pages[path] = Html()
            continue
        pages[path] = Html()
        pages[path].feed(path.read_text(encoding="utf-8"))
    count, broken = 0, 0
    for path, page in pages.items():
        for link in page.links:
            count += 1
            reason = None
            if re.match(r"^[a-z]+:", link):
                if not link.startswith(("https:", "data:", "mailto:", *WITHOUT_HTTPS)):
                    reason = "is not https"
            else:
                target, _, fragment = link.partition("#")
                target = unquote(target.partition("?")[0])
                file = path if not target else Path(os.path.normpath(path.parent / target))
                if path.name == "404.html" and target.startswith("/"):
                    file = BOOK / target.lstrip("/")
                if file.is_dir():
                    file = file / "index.html"
                if not file.is_file():
                    reason = "leads to no file"
                elif fragment and file in pages and unquote(fragment) not in pages[file].names:
                    reason = "leads to no heading"
            if reason:
                broken += 1
                faults.say(f"{path.relative_to(BOOK)}: the link {link} {reason}")
    return count, broken


def check_sources():
    """The links of all texts of the checkout, as a reader of the repository follows them."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, check=True)
    count = 0
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = ROOT / name
        if not path.exists() or name.startswith("docs/site/src") or "corpus" in name:
            continue
        text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        for match in LINK.finditer(text):
            target = match[2].partition("#")[0]
            if not target or re.match(r"^[a-z]+:", target) or "::" in target or target.startswith("super"):
                continue
            count += 1
            if not (path.parent / unquote(target)).exists() and name.startswith(("README", "SECURITY", "CHANGELOG", "docs", "python", "blender", "benches", "examples")):
                faults.say(f"{name}: a link to {target}, which does not exist")
    return count


def main():
    is_writing, is_quick = "--write" in sys.argv, "--quick" in sys.argv
    if not is_quick:
        shutil.rmtree(OUT, ignore_errors=True)
    shutil.rmtree(SOURCES, ignore_errors=True)
    shutil.rmtree(BOOK, ignore_errors=True)
    SOURCES.mkdir(parents=True)

    texts = {path.relative_to(PAGES): path.read_text(encoding="utf-8") for path in sorted(PAGES.rglob("*.md"))}
    made = {}
    for maker in (commands_pages, columns_page, codes_page, environment_page, rust_page, python_page):
        made |= maker()
    # Which page shows which file of the checkout.
    places = {}
    for page, text in texts.items():
        for match in INCLUDE.finditer(text):
            places[Path(os.path.normpath((PAGES / page).parent / match[1]))] = page

    # Run: the commands and programs of the pages, and of the texts that they show.
    blocks = []
    for page, text in texts.items():
        blocks += blocks_of(page, text)
        for match in INCLUDE.finditer(text):
            own = Path(os.path.normpath((PAGES / page).parent / match[1]))
            comments = "".join(f"{line}\n" for line in text.splitlines() if line.startswith("<!-- norun page:"))
            included = blocks_of(page, own.read_text(encoding="utf-8") + comments, True)
            # Programs in Rust of such a text are doctests of its crate.
            blocks += [block for block in included if block.kind != "rust"]
    # README's Python too; its Rust is a doctest.
    blocks += [block for block in blocks_of(Path("README.md"), (ROOT / "README.md").read_text(encoding="utf-8"), True) if block.kind == "python"]
    commands, programs, left = (0, 0, {}) if is_quick else run_all(blocks, is_writing)
    if is_writing:
        texts = {page: (PAGES / page).read_text(encoding="utf-8") for page in texts}

    # Write the sources of the book.
    if not is_quick:
        (RUNS / "index").mkdir(parents=True, exist_ok=True)
        draw = RUNS / "index/terminal.svg"
        subprocess.run([sys.executable, SITE / "terminal.py", SKELMAP, draw], check=True)
    for page, text in texts.items():
        own = PAGES / page

        def include(match, own=own, page=page):
            path = Path(os.path.normpath(own.parent / match[1]))
            return rewrite(plain_rust(path.read_text(encoding="utf-8")), path, page, places).rstrip("\n")

        text = INCLUDE.sub(lambda match: f"\x01{match[1]}\x01", text)
        text = rewrite(text, own, page, places)
        text = re.sub("\x01([^\x01]+)\x01", lambda match: include(match), text)
        text = text.replace("<!-- commands -->", "\n".join(f"  - [{name}](reference/commands/{name}.md)" for name, _ in command_names()))
        (SOURCES / page).parent.mkdir(parents=True, exist_ok=True)
        (SOURCES / page).write_text(text, encoding="utf-8")
    for page, text in made.items():
        (SOURCES / page).parent.mkdir(parents=True, exist_ok=True)
        (SOURCES / page).write_text(rewrite(text, PAGES / page, Path(page), places), encoding="utf-8")

    shutil.copy(SITE / "book.toml", OUT / "book.toml")
    shutil.copy(SITE / "style.css", OUT / "style.css")
    subprocess.run(["mdbook", "build", OUT], check=True)

    # Each page of the sources must have its place in the contents.
    summary = (SOURCES / "SUMMARY.md").read_text(encoding="utf-8")
    for page in [*texts, *map(Path, made)]:
        if page.name != "SUMMARY.md" and f"({page})" not in summary:
            faults.say(f"{page} is not in SUMMARY.md")

    links, broken = check_links()
    sources = check_sources()
    reasons = "; ".join(f"{reason}: {len(group)} ({', '.join(sorted({str(block.page) for block in group}))})" for reason, group in left.items())
    print(f"site: not run: {reasons or 'nothing'}")
    count = sum(map(len, left.values()))
    print(f"site: {len(texts) + len(made) - 1} pages, {commands} commands run, {programs} programs run, {count} blocks not run, {links} links, {broken} broken; "
          f"{sources} links of the repository's texts")  # fmt: skip
    if faults:
        sys.exit(f"site: {len(faults)} faults")


if __name__ == "__main__":
    main()
