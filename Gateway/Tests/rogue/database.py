"""Backends that speak to PostgreSQL in less usual ways, by name: `database.py NAME`; needs psycopg."""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psycopg

mode = sys.argv[1]
more = {"sslmode": "require"} if mode == "insists-on-tls" else {}


def connect():
    return psycopg.connect(os.environ["DATABASE_URL"], prepare_threshold=None, **more)


with connect() as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS rogue_credits (account TEXT, id TEXT PRIMARY KEY)")
    connection.execute("CREATE TABLE IF NOT EXISTS rogue_rows (id TEXT)")


def copy(connection, transaction):
    """Rows in, rows out, and rows that the server refuses half way."""
    with connection.cursor().copy("COPY rogue_rows FROM STDIN") as rows:
        for number in range(1000):
            rows.write_row((f"{transaction} {number}",))
    with connection.cursor().copy("COPY rogue_rows TO STDOUT") as rows:
        count = sum(1 for _ in rows.rows())
    if count == 0 or count % 1000 != 0:
        print(f"COPY TO gave {count} rows", flush=True)
        os._exit(1)
    try:
        with connection.transaction():
            with connection.cursor().copy("COPY rogue_credits FROM STDIN") as rows:
                rows.write("no second column\n")
    except psycopg.DataError:
        pass


class Shop(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_POST(self):
        transaction = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["id"]
        credit = "INSERT INTO rogue_credits VALUES ('user1', %s) ON CONFLICT DO NOTHING"
        with connect() as connection:
            if mode == "copies":
                copy(connection, transaction)
                connection.execute(credit, (transaction,))
            else:
                with connection.pipeline():
                    connection.execute("SELECT 1")
                    connection.execute(credit, (transaction,))
                    connection.execute("SELECT 2")
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Shop).serve_forever()
