"""A shop's backend: Flask, PostgreSQL, and Apple's own library, which is told nothing of any gateway.

    PORT=5000 DATABASE_URL=postgresql://… ROOT=AppleRootCA-G3.cer python shop.py [--defect=NAME]

The app sends the signed transaction. The shop verifies it, asks Apple how it stands now, and credits whose UUID is in it.

--defect=two-commits: it writes down that it has seen the transaction, and in a second commit credits it. Whoever dies in
between says "already delivered" from then on, and nothing was (compare RevenueCat/purchases-ios#2841 for the app's half
of it).
--defect=no-key: it looks whether it has credited the transaction, and credits it. Two at once, or one whose words reach
the database when it is long dead and its work done again, and it is credited twice (j3k0/cordova-plugin-purchase#1392).
Without either, the transaction is a key, and both are one commit.
"""

import contextlib
import os
import sys

import psycopg
from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import (
    SignedDataVerifier, VerificationException, VerificationStatus)
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from flask import Flask, request

DEFECT = sys.argv[-1].replace("--defect=", "") if len(sys.argv) > 1 else None
BUNDLE = "com.example.app"

with open(os.environ["ROOT"], "rb") as file:
    verifier = SignedDataVerifier([file.read()], True, Environment.PRODUCTION, BUNDLE, 1234567890)
key = ec.generate_private_key(ec.SECP256R1()).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
apple = AppStoreServerAPIClient(key, "KEY", "issuer", BUNDLE, Environment.PRODUCTION)
app = Flask(__name__)


# Connections that nobody uses now.
free = []


@contextlib.contextmanager
def database():
    """A connection and a transaction on it, which is committed at the end."""
    try:
        connection = free.pop()
    except IndexError:
        # Statements that are prepared after some uses would make the tenth purchase differ from the first.
        connection = psycopg.connect(os.environ["DATABASE_URL"], prepare_threshold=None)
    try:
        with connection.transaction():
            yield connection
        free.append(connection)
    except psycopg.OperationalError:
        connection.close()
        raise


def create():
    """A row is what Apple said last of a transaction, whose it is if somebody has reported it, and whether it was credited."""
    key = "" if DEFECT else ", PRIMARY KEY (id)"
    with database() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY)")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS credits (id TEXT, account TEXT, product TEXT, signed BIGINT,"
            f" stands INTEGER, given BOOLEAN{key})")


def see(connection, bought):
    """Whether nobody has seen it before."""
    return connection.execute(
        "INSERT INTO seen (id) VALUES (%s) ON CONFLICT DO NOTHING",
        (bought.transactionId,)).rowcount == 1


# Apple's last word counts, whoever hears it first; what came back before it was reported belongs to whoever reports it.
LAST = "CASE WHEN excluded.signed >= credits.signed THEN excluded.stands ELSE credits.stands END"
OWNER = "coalesce(credits.account, excluded.account)"
KEEP = f"""
    ON CONFLICT (id) DO UPDATE SET
        account = {OWNER}, stands = {LAST}, signed = greatest(credits.signed, excluded.signed),
        given = credits.given OR {OWNER} IS NOT NULL AND {LAST} > 0"""


def apply(connection, said, account):
    """Has as much of a transaction stand as Apple says, for whoever owns it; what stands then."""
    stands = 1000
    if said.revocationDate is not None:
        taken = said.revocationPercentage
        stands -= (100_000 if taken is None else taken) // 100
    return connection.execute(
        "INSERT INTO credits (id, account, product, signed, stands, given) VALUES (%s, %s, %s, %s, %s, %s)"
        + ("" if DEFECT else KEEP) + " RETURNING stands",
        (said.transactionId, account, said.productId, said.signedDate, stands,
         account is not None and stands > 0)).fetchone()[0]


def current(signed):
    """How a transaction stands now, by Apple's own word; throws what either says."""
    named = verifier.verify_and_decode_signed_transaction(signed)
    return verifier.verify_and_decode_signed_transaction(
        apple.get_transaction_info(named.transactionId).signedTransactionInfo)


@app.post("/purchases")
def purchase():
    body = request.get_json()
    try:
        bought = current(body["signed"])
    except VerificationException as error:
        retryable = error.status == VerificationStatus.RETRYABLE_VERIFICATION_FAILURE
        return {"state": "again" if retryable else "refused"}
    except (APIException, OSError, psycopg.Error):
        return {"state": "again"}, 503
    account = bought.appAccountToken or body["account"]
    if DEFECT == "no-key":
        return {"state": look_and_credit(bought, account)}
    if DEFECT == "two-commits":
        with database() as connection:
            is_new = see(connection, bought)
        if is_new:
            with database() as connection:
                apply(connection, bought, account)
        return {"state": "credited" if is_new else "had"}
    with database() as connection:
        return {"state": "credited" if apply(connection, bought, account) > 0 else "refused"}


def look_and_credit(bought, account):
    with database() as connection:
        if connection.execute(
                "SELECT 1 FROM credits WHERE id = %s", (bought.transactionId,)).fetchone():
            return "had"
    with database() as connection:
        apply(connection, bought, account)
    return "credited"


@app.post("/notifications")
def notification():
    try:
        told = verifier.verify_and_decode_notification(request.get_json()["signedPayload"])
        if told.rawNotificationType in ("REFUND", "REFUND_REVERSED"):
            now = current(told.data.signedTransactionInfo)
            with database() as connection:
                apply(connection, now, now.appAccountToken)
    except VerificationException:
        return {}, 400
    except (APIException, OSError, psycopg.Error):
        return {}, 503
    return {}


if __name__ == "__main__":
    create()
    app.run(port=int(os.environ["PORT"]), threaded=True)
