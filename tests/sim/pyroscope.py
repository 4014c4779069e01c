"""A server of continuous profiling, for one test: pyroscope.py FOLDER: takes what is pushed as Pyroscope does, each into
FOLDER/N.json, its profile into FOLDER/N.pb.gz. The first request is answered with 503. Prints its port.
"""

import base64
import http.server
import json
import sys

taken = 0
refused = False


class Push(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        global taken, refused
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = 200
        if self.path != "/push.v1.PusherService/Push" or self.headers["Content-Type"] != "application/json":
            status = 404
        elif not refused:
            refused, status = True, 503
        else:
            taken += 1
            one, = body["series"]
            sample, = one["samples"]
            assert sample["ID"]
            with open(f"{sys.argv[1]}/{taken}.pb.gz", "wb") as f:
                f.write(base64.b64decode(sample["rawProfile"], validate=True))
            with open(f"{sys.argv[1]}/{taken}.json", "w") as f:
                json.dump({x["name"]: x["value"] for x in one["labels"]}, f)
            print(f"taken {taken}", flush=True)
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *unused):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Push)
print(server.server_port, flush=True)
server.serve_forever()
