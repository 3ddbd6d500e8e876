"""Runs the command over nginx and moto, and compares it with itself over files."""

import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import boto3
from botocore.config import Config

from servers import Proxy, Servers, post

PROGRAM = sys.argv[1]
SECRET = "s3cr3tKey"
ASSETS = sorted(Path("corpus").glob("*.p*")) + sorted(Path("tests/corpus").glob("*/*/*.p*"))
passed = 0


def check(is_good, what, ran=None):
    global passed
    if not is_good:
        said = f"\n{ran.args}\n{ran.returncode}\n{ran.stdout[:3000]}\n{ran.stderr[:3000]}" if ran else ""
        raise SystemExit(f"failed: {what}{said}")
    passed += 1


def run(*words, port=None, environment=None):
    """Runs the command. No output may have the secret."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GOOGLE_", "AZURE_"))}
    if port:
        kept |= {
            "AWS_ENDPOINT": f"http://127.0.0.1:{port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
        }
    words = [PROGRAM, *map(str, words)]
    ran = subprocess.run(words, env=kept | (environment or {}), capture_output=True, text=True, timeout=60)
    check(SECRET not in ran.stdout + ran.stderr, "a secret is printed", ran)
    check("panicked" not in ran.stderr, "a panic", ran)
    return ran


def archive(path):
    """The assets of the corpus many times, and names enough for a directory that takes a second request."""
    with zipfile.ZipFile(path, "w") as zip_file:
        for number in range(8):
            for asset in ASSETS:
                method = zipfile.ZIP_DEFLATED if number % 3 == 2 else zipfile.ZIP_STORED
                zip_file.write(asset, f"art/{number}/{asset}", method)
            zip_file.writestr(f"art/{number}/noise.dds", os.urandom(300_000))
        for number in range(3000):
            zip_file.writestr(f"art/textures/a_name_that_is_long_enough/{number:05}.dds", b"")


def start_of_directory(path):
    with zipfile.ZipFile(path) as zip_file:
        return zip_file.start_dir


def rows(ran, place):
    """The rows with `X` in the place of an address."""
    return ran.stdout.replace(str(place), "X")


def prove_nginx(servers, local, folder):
    root = servers.folder / "root"
    port = servers.nginx()
    os.link(local, root / "mod.zip")
    (root / "empty.psk").touch()
    place = f"http://127.0.0.1:{port}/mod.zip"
    expected = run("ls", "--format", "jsonl", local)
    ran = run("ls", "--format", "jsonl", place, "-v")
    check(rows(ran, place) == rows(expected, local) and ran.returncode == expected.returncode, "nginx: rows", ran)
    log, start = servers.log(), start_of_directory(local)
    ranges = [entry[2].removeprefix("bytes=") for entry in log]
    index = [text for text in ranges if text.startswith("-") or int(text.split("-")[1]) > start]
    check(len(index) == 2, f"nginx: the index takes {len(index)} requests: {index}")
    check(f"{len(log)} requests" in ran.stderr, f"nginx: {len(log)} requests", ran)
    check(all(entry[0] == "206" for entry in log), f"nginx: statuses {log[:5]}")
    check(all(entry[3] != "-" for entry in log[1:]), "nginx: a request without If-Match")
    for words in [("check", "--format", "jsonl"), ("match", "--format", "jsonl", "corpus/fox.psk")]:
        expected, ran = run(*words, local), run(*words, place)
        check(rows(ran, place) == rows(expected, local) and ran.returncode == expected.returncode, f"nginx: {words}", ran)
    ran = run("ls", "--format", "jsonl", f"http://127.0.0.1:{port}/empty.psk", f"http://127.0.0.1:{port}/none.psk")
    kinds = [json.loads(line)["error"]["kind"] for line in ran.stdout.splitlines()]
    check(kinds == ["empty", "remote-not-found"] and ran.returncode == 1, f"nginx: {kinds}", ran)
    ran = run("ls", "--format", "jsonl", f"http://127.0.0.1:{port}/")
    check(ran.returncode == 3 and "remote-no-list" in ran.stdout, "nginx: no list", ran)
    return len(log)


ODD = ["a b.psk", "a%41b.psk", "a#b.psk", "a?b.psk", "gr\u00fc\u00df.psk", "a+b&c=d.psk", "\u65e5\u672c.psk", "a'b\"c.psk", "a%20b.psk"]


def prove_s3(servers, local, folder):
    port = servers.moto()
    client = boto3.client(
        "s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1", aws_access_key_id="a",
        aws_secret_access_key="b", config=Config(s3={"addressing_style": "path"}),
    )  # fmt: skip
    client.create_bucket(Bucket="mods")
    put = lambda key, body: client.put_object(Bucket="mods", Key=key, Body=body)
    psk, bytes_ = Path("corpus/fox.psk").read_bytes(), local.read_bytes()
    put("mod.zip", bytes_)
    put("empty.psk", b"")
    put("empty.zip", b"")
    loose = folder / "loose"
    # In a store, the name alone decides.
    for asset in [asset for asset in ASSETS if asset.suffix != ".psax"][:40]:
        target = loose / asset
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(asset.read_bytes())
        put(f"loose/{asset}", asset.read_bytes())
    put("loose/readme.txt", b"no asset")
    for key in ODD:
        put(f"odd/{key}", psk)

    place = "s3://mods/mod.zip"
    commands = [
        ("ls", "--format", "jsonl", "{}"),
        ("ls", "--format", "csv", "{}"),
        ("info", "--format", "json", "{}!/art/0/corpus/fox.psa"),
        ("check", "--format", "jsonl", "--level", "note", "{}"),
        ("dump", "{}!/art/2/corpus/fox_walk.psa", "--what", "keys", "--format", "csv"),
        ("match", "--format", "jsonl", "{}!/art/0/corpus/fox.psk", "{}"),
        ("skin", "{}!/art/0/corpus/fox.pmd", "--anim", "{}!/art/0/corpus/fox_walk.psa", "--at", "100ms", "--format", "json"),
    ]
    for words in commands:
        expected = run(*[word.format(local) for word in words])
        ran = run(*[word.format(place) for word in words], port=port)
        same = rows(ran, place) == rows(expected, local) and ran.returncode == expected.returncode
        check(same and len(ran.stdout) > 100, f"S3: {words}", ran)
    for format in ["jsonl", "csv"]:
        outputs = [folder / f"{name}.{format}" for name in ["local", "remote"]]
        run("catalog", local, "-o", outputs[0], "--content-hash")
        ran = run("catalog", place, "-o", outputs[1], "--content-hash", port=port)
        texts = [path.read_text() for path in outputs]
        check(texts[1].replace(place, str(local)) == texts[0], f"S3: catalog {format}", ran)
    run("extract", local, "art/[02]/**", "-o", folder / "out-local")
    ran = run("extract", place, "art/[02]/**", "-o", folder / "out-remote", port=port)
    names = sorted(path.relative_to(folder / "out-local") for path in (folder / "out-local").rglob("*") if path.is_file())
    same = [(folder / "out-local" / name).read_bytes() == (folder / "out-remote" / name).read_bytes() for name in names]
    check(len(names) > 50 and all(same), "S3: extract", ran)

    # Prefixes list as folders do.
    expected = run("ls", "--format", "jsonl", loose)
    for prefix in ["s3://mods/loose/", "s3://mods/loose"]:
        ran = run("ls", "--format", "jsonl", prefix, port=port)
        found, wanted = rows(ran, "s3://mods/loose").splitlines(), rows(expected, loose).splitlines()
        check(sorted(found) == sorted(wanted), f"S3: {prefix}: {sorted(set(found) ^ set(wanted))}")
    ran = run("ls", "--format", "jsonl", "s3://mods/odd/", port=port)
    listed = sorted(json.loads(line)["path"] for line in ran.stdout.splitlines())
    check(ran.returncode == 0 and listed == sorted(f"s3://mods/odd/{key}" for key in ODD), f"S3: odd keys {listed}", ran)
    ran = run("ls", "--format", "jsonl", *listed, port=port)
    good = [json.loads(line) for line in ran.stdout.splitlines()]
    check([row["path"] for row in good] == listed and ran.returncode == 0, "S3: odd keys by name", ran)
    ran = run("ls", "--format", "jsonl", "s3://mods", port=port)
    check(len(ran.stdout.splitlines()) > 100, "S3: a bucket", ran)

    # What is not there, and what may not be read.
    def kinds(*places, port=port, **options):
        ran = run("ls", "--format", "jsonl", *places, port=port, **options)
        return [(json.loads(line)["error"] or {}).get("kind") for line in ran.stdout.splitlines()], ran

    for places, expected, status in [
        (["s3://mods/empty.psk", "s3://mods/empty.zip"], ["empty", "zip-no-directory"], 1),
        (["s3://mods/none.psk", "s3://mods/none.zip"], ["remote-not-found"] * 2, 3),
        (["s3://missing/x.psk", "s3://missing/"], ["remote-not-found"] * 2, 3),
        (["s3://mods/none.psk", "s3://mods/odd/a b.psk"], ["remote-not-found", None], 1),
    ]:
        found, ran = kinds(*places)
        check(found == expected and ran.returncode == status, f"S3: {places}: {found}", ran)

    proxy = Proxy(port)
    prove_faults(proxy, place, local, lambda: put("mod.zip", bytes_[:-1] + b"\1"), lambda: put("mod.zip", bytes_))
    post(port, "/moto-api/reset-auth", "0")
    found, ran = kinds("s3://mods/mod.zip", "s3://mods/empty.psk", "s3://mods/odd/")
    check(found == ["remote-denied"] * 3 and ran.returncode == 3, f"S3: wrong credentials: {found}", ran)


def prove_faults(proxy, place, local, replace, restore):
    expected = rows(run("ls", "--format", "jsonl", local), local)
    number_of_rows = len(expected.splitlines())

    def ls():
        ran = run("ls", "--format", "jsonl", place, port=proxy.port)
        errors = [row["error"]["kind"] for row in map(json.loads, ran.stdout.splitlines()) if row["error"]]
        return ran, [kind for kind in errors if kind.startswith("remote-")]

    xml = b"<?xml version='1.0'?><Error><Code>InternalError</Code><Message>" + SECRET.encode() + b"</Message></Error>"

    def error(status, which):
        return lambda number, _, *answer: (status, {}, xml) if which(number) else answer

    def ignored(number, handler, status, headers, body):
        return 200, {name: value for name, value in headers.items() if name != "content-range"}, body + b"x" * 1000

    def replace_at_fourth(number):
        if number == 4:
            replace()

    def slow(number, handler, *answer):
        time.sleep(0.1)
        return answer

    # Faults that pass are not seen.
    for name, fault in [
        ("500 now and then", error(500, lambda number: number % 4 == 1)),
        ("503 at first", error(503, lambda number: number <= 2)),
        ("cut bodies", lambda number, _, *answer: None if number % 4 == 2 else answer),
        ("slow", slow),
    ]:
        proxy.set(fault)
        ran, kinds = ls()
        check(rows(ran, place) == expected, f"S3: {name}: {kinds[:3]}", ran)
    # Faults that stay are named.
    for name, fault, kind in [
        ("500", error(500, lambda _: True), "remote-unavailable"),
        ("400", error(400, lambda _: True), "remote-unavailable"),
        ("403", error(403, lambda _: True), "remote-denied"),
        ("short", lambda number, _, status, headers, body: (status, headers, body[:-1]), "remote-length"),
        ("long", lambda number, _, status, headers, body: (status, headers, body + b"x"), "remote-length"),
        ("ranges ignored", ignored, "remote-no-ranges"),
    ]:
        proxy.set(fault)
        ran, kinds = ls()
        check(kinds == [kind] and ran.returncode == 3, f"S3: {name}: {kinds}", ran)
    # A fault in mid-run: every row is there, and the good ones are right.
    for name, fault, kind in [
        ("403 from the fourth request on", error(403, lambda number: number >= 4), "remote-denied"),
        ("short from the fourth request on", lambda number, _, status, headers, body: (status, headers, body[: len(body) - (number >= 4)]), "remote-length"),
        ("replaced before the fourth request", None, "remote-changed"),
    ]:  # fmt: skip
        proxy.set(fault, None if fault else replace_at_fourth)
        ran, kinds = ls()
        found = rows(ran, place).splitlines()
        good = [(line, other) for line, other in zip(found, expected.splitlines()) if '"kind":"remote-' not in line]
        check(len(found) == number_of_rows and set(kinds) == {kind}, f"S3: {name}: {set(kinds)} {len(found)}", ran)
        check(all(line == other for line, other in good) and ran.returncode in (1, 3), f"S3: {name}: rows differ", ran)
    restore()


def main():
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="skelmap-remote-") as name:
        folder = Path(name)
        local = folder / "mod.zip"
        archive(local)
        folder.chmod(0o755)
        with Servers(folder) as servers:
            requests = prove_nginx(servers, local, folder)
            print(f"nginx: rows as local in {requests} requests, 2 of them for the index ({time.monotonic() - begin:.0f} s)")
            prove_s3(servers, local, folder)
    print(f"remote: {passed} facts hold ({time.monotonic() - begin:.0f} s)")


main()
