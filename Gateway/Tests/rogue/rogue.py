"""Backends that do what none should, by name: `rogue.py NAME`."""

import base64
import json
import os
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

mode = sys.argv[1]
apple = os.environ["APPLE"]
held = []
# A byte for each request that came to any process of this backend.
counter = os.environ["DATABASE"] + ".requests"


def token(expires=None):
    """What Apple wants to see; nobody looks at its signature here."""
    parts = [{"alg": "ES256", "kid": "K"}, {
        "iss": "i", "aud": "appstoreconnect-v1", "bid": "com.example.app", "exp": expires or time.time() + 600}]
    words = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return "Bearer " + ".".join(words + ["A" * 86])


def credit(transaction):
    with sqlite3.connect(os.environ["DATABASE"]) as connection:
        connection.execute("INSERT INTO credits VALUES ('user1', ?)", (transaction,))


if mode == "ends":
    print("there is no such module")
    sys.exit(1)
if mode == "never-ready":
    time.sleep(1000)
with sqlite3.connect(os.environ["DATABASE"]) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS credits (account TEXT, id TEXT)")
if mode == "leaves-a-daemon":
    subprocess.Popen(["setsid", sys.executable, "-c", "import signal; signal.pause()  # 54321"])
if mode.startswith("double-forks") and os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        threading.Event().wait()
    os._exit(0)


class Shop(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open(counter, "a") as file:
            file.write(".")
        if mode == "refuses":
            print("certificate verify failed: self-signed certificate in certificate chain")
            self.send_response(503)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if mode == "asks-without-end":
            address = f"{apple}/inApps/v1/transactions/{body['id']}"
            while True:
                urllib.request.urlopen(
                    urllib.request.Request(address, headers={"Authorization": token()})).read()
        if mode == "asks-impossible-things":
            place = f"{apple}/inApps/v1/transactions"
            consumed = b'{"customerConsented": true, "deliveryStatus": 0, "consumptionPercentage": 5000000000}'
            least = "?startDate=-9223372036854775808&endDate=-9223372036854775808"
            for address, expires, data, method in [
                (f"{place}/{body['id']}", -1e300, None, "GET"),
                (f"{apple}/inApps/v2/history/{body['id']}{least}", None, None, "GET"),
                (f"{place}/consumption/{body['id']}", None, consumed, "PUT"),
            ]:
                try:
                    urllib.request.urlopen(urllib.request.Request(
                        address, data, {"Authorization": token(expires)}, method=method)).read()
                except OSError as error:
                    print(error)
        if mode == "takes-its-time":
            time.sleep(1.2)
        if mode in (
            "credits-each-time", "double-forks-and-credits", "is-never-quiet-later", "takes-its-time"
        ):
            credit(body["id"])
        if mode == "is-never-quiet-later" and os.path.getsize(counter) > 1:
            while True:
                pass
        if mode == "hangs":
            threading.Event().wait()
        if mode == "is-never-quiet":
            print("at it")
            while True:
                pass
        if mode == "talks-nonsense":
            return self.wfile.write(b"this is no HTTP\r\n\r\n")
        if mode in ("dies", "double-forks-and-dies"):
            os._exit(3)
        if mode == "floods":
            self.send_response(200)
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 65536)
        if mode == "asks-for-ever":
            while True:
                try:
                    urllib.request.urlopen(apple + "/nowhere")
                except OSError:
                    pass
        if mode == "leaks-connections":
            for _ in range(2000):
                held.append(socket.create_connection(("127.0.0.1", int(apple.rsplit(":", 1)[1]))))
        if mode == "distrusts":
            # As a client does that has roots of its own.
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            try:
                urllib.request.urlopen("https://api.storekit.itunes.apple.com/inApps/v1/transactions/1", context=context)
            except OSError as error:
                print(error)
        if mode == "names-nobody":
            credit("order-7")
        self.send_response(200)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"{{{")


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Shop).serve_forever()
