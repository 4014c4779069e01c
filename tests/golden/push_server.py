"""Servers of continuous profiling that behave as the request's path says, for one test: push_server.py CERT KEY. Prints the
ports of an http and of an https one, then a line for each request: what it was, its Authorization, the bytes of its body; of an
endless answer how much was taken.
"""

import http.server
import json
import ssl
import sys
import threading
import time

asked = {}  # path: how often


class Push(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def send(self, *chunks, endless=False, pause=0):
        """Bytes; endless: the last chunk until the other end has gone."""
        self.close_connection = True
        sent = 0
        try:
            for chunk in chunks:
                self.wfile.write(chunk)
            while endless:
                sent += self.connection.send(chunks[-1])
                time.sleep(pause)
        except OSError:
            print("gone", self.path, sent, flush=True)

    def do_CONNECT(self):
        print("CONNECT", self.path, flush=True)
        self.send(b"HTTP/1.1 200 fine\r\n\r\n")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        asked[self.path] = asked.get(self.path, 0) + 1
        print(self.path, self.headers["Authorization"], len(body), flush=True)
        one, = json.loads(body)["series"]
        assert one["labels"] == [{"name": "site", "value": "made"}] and self.headers["Content-Type"] == "application/json"
        what = self.path.removeprefix("http://far.invalid:4040").split("/")[1]
        if what == "endless":
            self.send(b"HTTP/1.1 200 OK\r\n\r\n", 4096 * b"x", endless=True)
        elif what == "headers":
            self.send(b"HTTP/1.1 200 OK\r\n", b"X: " + 1000 * b"x" + b"\r\n", endless=True)
        elif what == "line":
            self.send(b"HTTP/1.1 200 OK\r\nX: ", 4096 * b"x", endless=True)
        elif what == "slow":
            self.send(b"HTTP/1.1 200", b" ", endless=True, pause=0.2)
        elif what == "rest":
            self.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"x", endless=True, pause=0.2)
        elif what == "ssh":
            self.send(b"SSH-2.0-OpenSSH_9.2p1\r\n")
        elif what == "none":
            self.send(b"")
        elif what == "early":
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        else:
            status = 200 if what == "ok" or (what == "busy" and asked[self.path] > 2) else 429 if what == "busy" else int(what)
            self.send_response(status)
            self.send_header("Location", "/ok/push.v1.PusherService/Push")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

    def log_message(self, *unused):
        pass


plain, secret = (http.server.ThreadingHTTPServer(("127.0.0.1", 0), Push) for _ in range(2))
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(*sys.argv[1:3])
secret.socket = tls.wrap_socket(secret.socket, server_side=True, do_handshake_on_connect=False)
secret.handle_error = lambda *unused: None  # a client that does not trust it
print(plain.server_port, secret.server_port, flush=True)
threading.Thread(target=plain.serve_forever).start()
secret.serve_forever()
