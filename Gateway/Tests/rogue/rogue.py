"""Backends that do what none should, by name: `rogue.py NAME`."""

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

if mode == "ends":
    print("there is no such module")
    sys.exit(1)
if mode == "never-ready":
    time.sleep(1000)
with sqlite3.connect(os.environ["DATABASE"]) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS credits (account TEXT, id TEXT)")
if mode == "leaves-a-daemon":
    subprocess.Popen(["setsid", sys.executable, "-c", "import signal; signal.pause()  # 54321"])


class Shop(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if mode == "hangs":
            threading.Event().wait()
        if mode == "is-never-quiet":
            print("at it")
            while True:
                pass
        if mode == "talks-nonsense":
            return self.wfile.write(b"this is no HTTP\r\n\r\n")
        if mode == "dies":
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
            with sqlite3.connect(os.environ["DATABASE"]) as connection:
                connection.execute("INSERT INTO credits VALUES ('user1', 'order-7')")
        self.send_response(200)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"{{{")


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Shop).serve_forever()
