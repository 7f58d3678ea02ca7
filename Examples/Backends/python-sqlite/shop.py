"""A shop's backend: Python's own library and SQLite, nothing else.

    PORT=5000 DATABASE=shop.db APPLE=https://api.storekit.apple.com python shop.py [--defect | --defect=stale]

The app reports a transaction by its id. The shop asks Apple about it, and credits whoever is logged in with what it
bought. Apple also tells it of refunds and of their reversal, by App Store Server Notifications.

With --defect it looks first whether the transaction was credited, then asks Apple, and then credits: what everybody
writes first. Two reports of one transaction that cross each other are both credited (cordova-plugin-purchase#1392,
openiap#152). Without, the transaction is the key of the credit: whoever comes second finds it there.

With --defect=stale it takes what was bought more than a day ago for a replay, and refuses it: who has bought outside the app,
and opens it three days later, has paid for nothing.
"""

import base64
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DEFECT = "--defect" in sys.argv
STALE = "--defect=stale" in sys.argv
APPLE = os.environ["APPLE"]
SANDBOX = os.environ["APPLE_SANDBOX"]
DATABASE = os.environ["DATABASE"]


def database():
    connection = sqlite3.connect(DATABASE, timeout=5)
    connection.execute("PRAGMA journal_mode = WAL")
    return connection


def create():
    """A row is what Apple said last of a transaction, whose it is if somebody has reported it, and whether it was credited."""
    key = "" if DEFECT else ", PRIMARY KEY (transaction_id)"
    with database() as connection:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS credits (transaction_id TEXT, account TEXT, product TEXT,"
            f" signed INTEGER, stands INTEGER, given INTEGER DEFAULT 0{key})")


def part(jws, index):
    text = jws.split(".")[index]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def token():
    """The token with which Apple is called; what signs it is left out here."""
    def encoded(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
    header = encoded(b'{"alg":"ES256","kid":"KEY","typ":"JWT"}')
    claims = encoded(json.dumps({
        "iss": "issuer", "aud": "appstoreconnect-v1", "bid": "com.example.app",
        "exp": int(time.time()) + 300}).encode())
    return f"{header}.{claims}.{encoded(bytes(64))}"


class TryAgain(Exception):
    """Apple says nothing of the transaction now."""


def look_up(transaction):
    """What Apple says of a transaction: in production, and where it is not known there in the sandbox."""
    for host in (APPLE, SANDBOX):
        request = urllib.request.Request(
            f"{host}/inApps/v1/transactions/{transaction}",
            headers={"Authorization": f"Bearer {token()}"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return part(json.load(answer)["signedTransactionInfo"], 1)
        except urllib.error.HTTPError as error:
            if error.code == 404 and json.load(error).get("errorCode") == 4040010:
                continue
            raise TryAgain from error
        except (OSError, ValueError) as error:
            raise TryAgain from error
    raise TryAgain


# What Apple has said later counts, whoever hears it first; what came back before it was reported belongs to whoever reports it.
KEEP = """
    ON CONFLICT (transaction_id) DO UPDATE SET
        account = coalesce(account, excluded.account),
        stands = iif(excluded.signed >= signed, excluded.stands, stands),
        signed = max(signed, excluded.signed)"""


def apply(said, account):
    """Has as much of a transaction stand as Apple says, for whoever owns it; what stands then."""
    stands = 1000
    if "revocationDate" in said:
        stands -= said.get("revocationPercentage", 100_000) // 100
    transaction = said["transactionId"]
    with database() as connection:
        connection.execute(
            "INSERT INTO credits (transaction_id, account, product, signed, stands) VALUES (?, ?, ?, ?, ?)"
            + ("" if DEFECT else KEEP), (transaction, account, said["productId"], said["signedDate"], stands))
        connection.execute(
            "UPDATE credits SET given = 1 WHERE transaction_id = ? AND account IS NOT NULL AND stands > 0", (transaction,))
        return connection.execute("SELECT stands FROM credits WHERE transaction_id = ?", (transaction,)).fetchone()[0]


def is_credited(transaction):
    with database() as connection:
        return connection.execute(
            "SELECT 1 FROM credits WHERE transaction_id = ? AND given", (transaction,)).fetchone()


class Shop(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            if self.path == "/purchases":
                self.answer(200, {"state": self.purchase(body)})
            elif self.path == "/notifications":
                self.notification(part(body["signedPayload"], 1))
                self.answer(200, {})
            else:
                self.answer(404, {})
        except TryAgain:
            self.answer(503, {})

    def purchase(self, body):
        if is_credited(body["transaction"]):
            return "had"
        bought = look_up(body["transaction"])
        # Whose it is the purchase says itself, if the app has told the store.
        account = body["account"]
        if bought.get("appAccountToken"):
            account = bought["appAccountToken"]
        if bought["environment"] != "Production":
            return "refused"
        if STALE and time.time() - bought["purchaseDate"] / 1000 > 86_400:
            return "refused"
        return "credited" if apply(bought, account) > 0 else "refused"

    def notification(self, told):
        if told["notificationType"] not in ("REFUND", "REFUND_REVERSED"):
            return
        # What the notification says may be old, or somebody else's: how it stands now Apple is asked.
        named = part(told["data"]["signedTransactionInfo"], 1)
        now = look_up(named["transactionId"])
        apply(now, now.get("appAccountToken"))


if __name__ == "__main__":
    create()
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Shop).serve_forever()
