"""What Apple's own library makes of what the gateway signs.

    python signatures.py SIGNING_SAMPLES      needs app-store-server-library
"""

import base64
import http.server
import json
import subprocess
import sys
import threading
import time

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import (
    SignedDataVerifier, VerificationException, VerificationStatus)

BUNDLE = "com.example.shop"
failed = 0


class Samples:
    """signing-samples, a line in and a line out."""

    def __init__(self, program, responder):
        self.process = subprocess.Popen(
            [program, responder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lock = threading.Lock()
        self.root = base64.b64decode(self.process.stdout.readline())

    def ask(self, line):
        with self.lock:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            return self.process.stdout.readline().strip()


class Responder(http.server.BaseHTTPRequestHandler):
    mode = "good"
    samples = None
    asked = 0

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        request = self.rfile.read(int(self.headers["Content-Length"]))
        Responder.asked += 1
        answer = self.samples.ask(f"ocsp {self.mode} {base64.b64encode(request).decode()}")
        body = base64.b64decode(answer)
        self.send_response(200 if body else 500)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def expect(what, found, expected):
    global failed
    if found != expected:
        failed += 1
        print(f"{what}: found {found!r}, expected {expected!r}")


def verdict(check):
    try:
        check()
        return "believed"
    except VerificationException as error:
        return error.status.name


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Responder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    samples = Samples(sys.argv[1], f"http://127.0.0.1:{server.server_address[1]}/ocsp")
    Responder.samples = samples
    now = int(time.time() * 1000)
    payload = {
        "bundleId": BUNDLE, "environment": "Sandbox", "transactionId": "2000000000000001",
        "originalTransactionId": "2000000000000001", "productId": "coins", "signedDate": now}
    signed = samples.ask("sign " + json.dumps(payload))

    def verifier(online=False, bundle=BUNDLE, environment=Environment.SANDBOX):
        return SignedDataVerifier([samples.root], online, environment, bundle, 1234567890)

    strict = verifier()
    decoded = strict.verify_and_decode_signed_transaction(signed)
    expect("the transaction", decoded.transactionId, "2000000000000001")
    expect("another app", verdict(
        lambda: verifier(bundle="com.example.other").verify_and_decode_signed_transaction(signed)),
        "INVALID_APP_IDENTIFIER")
    expect("another environment", verdict(
        lambda: verifier(environment=Environment.PRODUCTION)
        .verify_and_decode_signed_transaction(signed)), "INVALID_ENVIRONMENT")
    head, body, signature = signed.split(".")
    forged = base64.urlsafe_b64encode(
        json.dumps({**payload, "productId": "gems"}).encode()).decode().rstrip("=")
    expect("a payload that was changed", verdict(
        lambda: strict.verify_and_decode_signed_transaction(f"{head}.{forged}.{signature}")),
        "VERIFICATION_FAILURE")
    other = Samples(sys.argv[1], "http://127.0.0.1:1/")
    expect("another root", verdict(
        lambda: strict.verify_and_decode_signed_transaction(other.ask("sign " + json.dumps(payload)))),
        "VERIFICATION_FAILURE")
    renewal = samples.ask("sign " + json.dumps({
        "environment": "Sandbox", "originalTransactionId": "1", "productId": "pro",
        "autoRenewProductId": "pro", "autoRenewStatus": 1, "signedDate": now}))
    expect("a renewal", strict.verify_and_decode_renewal_info(renewal).autoRenewProductId, "pro")
    notification = samples.ask("sign " + json.dumps({
        "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY", "version": "2.0",
        "notificationUUID": "6fd04d0c-9a4b-4a7c-8f10-b81d4fd6a4f5", "signedDate": now,
        "data": {
            "appAppleId": 1234567890, "bundleId": BUNDLE, "environment": "Sandbox", "status": 1,
            "signedTransactionInfo": signed, "signedRenewalInfo": renewal}}))
    expect("a notification", strict.verify_and_decode_notification(notification)
           .notificationType.value, "SUBSCRIBED")
    for mode, expected in [
            ("good", "believed"), ("revoked", "VERIFICATION_FAILURE"),
            ("unknown", "VERIFICATION_FAILURE"), ("try-later", "VERIFICATION_FAILURE"),
            ("fails", "RETRYABLE_VERIFICATION_FAILURE"), ("stale", "VERIFICATION_FAILURE"),
            ("forged", "VERIFICATION_FAILURE")]:
        Responder.mode = mode
        Responder.asked = 0
        expect(f"revocation: {mode}", verdict(
            lambda: verifier(online=True).verify_and_decode_signed_transaction(signed)), expected)
        expect(f"asked of revocation: {mode}", Responder.asked > 0, True)
    receipt = samples.ask("receipt coins 2000000000000007")
    expect("a receipt", ReceiptUtility().extract_transaction_id_from_app_receipt(receipt),
           "2000000000000007")
    print("signatures: " + ("all believed" if failed == 0 else f"{failed} not as expected"))
    return 1 if failed else 0


sys.exit(main())
