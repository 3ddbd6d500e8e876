"""nginx, moto, and a proxy with faults, on free ports of the loopback interface."""

import http.client
import http.server
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

NGINX = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
  log_format requests '$status $body_bytes_sent $http_range $http_if_match';
  access_log {folder}/access.log requests;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen 127.0.0.1:{port}; root {folder}/root; }}
}}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port, process):
    for _ in range(400):
        if process.poll() is not None:
            raise SystemExit(f"a server ended with status {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"no server on port {port}")


class Servers:
    """The processes of the servers; they end with the block."""

    def __init__(self, folder):
        self.folder, self.processes = Path(folder), []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()

    def start(self, port, *words, **options):
        with (self.folder / f"server-{port}.log").open("wb") as log:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)
        self.processes.append(process)
        wait_for(port, process)
        return port

    def nginx(self):
        """Serves the folder `root`. The port."""
        port = free_port()
        (self.folder / "root").mkdir(exist_ok=True)
        config = self.folder / "nginx.conf"
        config.write_text(NGINX.format(folder=self.folder, port=port))
        return self.start(port, "nginx", "-c", str(config), "-p", str(self.folder))

    def moto(self):
        port = free_port()
        program = Path(sys.executable).with_name("moto_server")
        return self.start(port, str(program), "-H", "127.0.0.1", "-p", str(port))

    def log(self):
        """The requests that nginx answered: status, bytes, range, tag."""
        time.sleep(0.2)
        return [line.split(" ", 3) for line in (self.folder / "access.log").read_text().splitlines()]


class Proxy:
    """Passes requests on, with a fault. `fault` is a function of the number of the request, and of the status, headers and
    body of the answer; it returns them changed, or `None` to close the connection in the middle of the body."""

    def __init__(self, port):
        self.target, self.fault, self.before, self.count = port, None, None, 0
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                try:
                    proxy.answer(self)
                except OSError:
                    # The command has read enough.
                    self.close_connection = True

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # The command has closed a connection.
        self.server.handle_error = lambda *_: None
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.lock = threading.Lock()

    def set(self, fault, before=None):
        """`before` gets the number of a request before it is passed on."""
        with self.lock:
            self.fault, self.before, self.count = fault, before, 0

    def answer(self, handler):
        with self.lock:
            self.count += 1
            number, fault = self.count, self.fault
            if self.before:
                self.before(number)
        connection = http.client.HTTPConnection("127.0.0.1", self.target)
        headers = {name: value for name, value in handler.headers.items() if name.lower() != "connection"}
        connection.request(handler.command, handler.path, headers=headers)
        answer = connection.getresponse()
        status, body = answer.status, answer.read()
        kept = {"etag", "last-modified", "content-range", "content-type"}
        headers = {name.lower(): value for name, value in answer.getheaders() if name.lower() in kept}
        length = int(answer.getheader("content-length") or len(body)) if handler.command == "HEAD" else None
        connection.close()
        changed = fault(number, handler, status, headers, body) if fault else (status, headers, body)
        cut = changed is None
        status, headers, body = (status, headers, body) if cut else changed
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(length if length is not None else len(body)))
        handler.end_headers()
        if handler.command != "HEAD":
            handler.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            handler.close_connection = True


def post(port, path, data):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data.encode(), {"content-type": "text/plain"})
    urllib.request.urlopen(request).read()
