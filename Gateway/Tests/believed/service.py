"""What Apple's own library makes of the store that the gateway serves: each of its calls that the store has an answer
for, notifications with revocation checked, receipts, the errors, and the way through the proxy without a change.

    python service.py CHAOS_GATEWAY      needs app-store-server-library
"""

import base64
import http.server
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import jwt
from appstoreserverlibrary.api_client import (
    APIError, APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion)
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.DeliveryStatusV1 import DeliveryStatusV1
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import (
    MassExtendRenewalDateRequest)
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import (
    Order, ProductType, TransactionHistoryRequest)
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

BUNDLE, APP = "com.example.shop", 1234567890
SHOP = {
    "products": [
        {"name": "coins"},
        {"name": "map", "kind": "non-consumable"},
        {"name": "pro", "kind": "auto-renewable", "period": "P1M", "graceDays": 16, "group": "plan",
         "level": 2},
        {"name": "max", "kind": "auto-renewable", "period": "P1M", "group": "plan", "level": 1},
    ],
    "prices": {"pro": 4990},
}
failed = 0


def expect(what, found, expected=True):
    global failed
    if found == expected:
        print(f"  {what}")
    else:
        failed += 1
        print(f"FAILED {what}: found {found!r}, expected {expected!r}")


def refused(what, call, status, code=None):
    try:
        call()
    except APIException as error:
        expect(what, (error.http_status_code, error.raw_api_error), (status, code))
    else:
        expect(what, "no error", (status, code))


class Backend(http.server.BaseHTTPRequestHandler):
    """What takes the notifications."""

    protocol_version = "HTTP/1.1"
    heard, status, verifiers = [], 200, {}

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if Backend.verifiers:
            payload = body["signedPayload"]
            claims = jwt.decode(payload, options={"verify_signature": False})
            environment = claims["data"]["environment"]
            try:
                verifier = Backend.verifiers[environment]
                Backend.heard.append(verifier.verify_and_decode_notification(payload))
            except VerificationException as error:
                Backend.heard.append(error)
        self.send_response(Backend.status)
        self.send_header("Content-Length", "0")
        self.end_headers()


class Store:
    """A gateway, and the interface that drives it."""

    def __init__(self, program, folder, notify):
        shop = os.path.join(folder, "shop.json")
        with open(shop, "w") as file:
            json.dump(SHOP, file)
        began = time.monotonic()
        self.process = subprocess.Popen(
            [program, "serve", shop, "--port", "0", "--folder", folder, "--clock", "standing",
             "--seed", "42", "--bundle", BUNDLE, "--notify", notify], stdout=subprocess.PIPE,
            text=True)
        self.greeting = ""
        while "others" not in self.greeting:
            self.greeting += self.process.stdout.readline()
        self.took = time.monotonic() - began
        self.plain = re.search(r"open at (http://127.0.0.1:\d+)", self.greeting)[1]
        self.proxy = re.search(r"HTTPS_PROXY=(\S+)", self.greeting)[1]

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            f"{self.plain}/chaos/v1/{path}", method=method,
            data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return {"refused": error.code, **json.load(error)}

    def post(self, path, body=None):
        return self.ask("POST", path, body)

    def bytes(self, path):
        with urllib.request.urlopen(f"{self.plain}/{path}") as answer:
            return answer.read()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(10)


def client(store, environment, base=None, bundle=BUNDLE):
    key = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption())
    made = AppStoreServerAPIClient(key, "KEYID", "issuer", bundle, environment)
    made._base_url = store.plain + ("/sandbox" if environment == Environment.SANDBOX else "")
    return made


def calls(store, environment, verifier):
    """All calls of one environment."""
    name = environment.value
    api = client(store, environment)
    account = store.post("accounts")["account"]
    bought = []
    for count in range(25):
        answer = store.post("purchases", {
            "account": account, "productId": "coins", "environment": name, "quantity": 2})
        bought.append(answer["transactionId"])
        store.post(f"transactions/{bought[-1]}/finish", {})
    info = api.get_transaction_info(bought[0]).signedTransactionInfo
    decoded = verifier.verify_and_decode_signed_transaction(info)
    expect(f"{name}: a transaction", (
        decoded.transactionId, decoded.productId, decoded.quantity, decoded.price,
        decoded.environment), (bought[0], "coins", 2, 1980, environment))

    seen, revision, pages = [], None, 0
    while True:
        page = api.get_transaction_history(
            bought[3], revision, TransactionHistoryRequest(sort=Order.ASCENDING),
            GetTransactionHistoryVersion.V2)
        seen += [verifier.verify_and_decode_signed_transaction(one).transactionId
                 for one in page.signedTransactions]
        pages, revision = pages + 1, page.revision
        if not page.hasMore:
            break
    expect(f"{name}: a history in pages", (seen, pages), (bought, 2))
    page = api.get_transaction_history(
        bought[0], None, TransactionHistoryRequest(
            productTypes=[ProductType.AUTO_RENEWABLE], revoked=False))
    expect(f"{name}: a history with a filter", page.signedTransactions, [])

    store.post(f"transactions/{bought[1]}/refund", {"percent": 25})
    store.post(f"transactions/{bought[2]}/refund", {})
    refunds = api.get_refund_history(bought[0], None)
    expect(f"{name}: refunds", [
        (one.transactionId, one.rawRevocationType, one.revocationPercentage) for one in
        map(verifier.verify_and_decode_signed_transaction, refunds.signedTransactions)],
        [(bought[1], "REFUND_PRORATED", 25000), (bought[2], "REFUND_FULL", 100000)])

    token = "11111111-2222-4333-8444-555555555555"
    plan = store.post("purchases", {
        "account": account, "productId": "pro", "environment": name,
        "appAccountToken": token})["transactionId"]
    api.set_app_account_token(
        plan, UpdateAppAccountTokenRequest(appAccountToken=token.replace("1", "6")))
    group = api.get_all_subscription_statuses(plan, [Status.ACTIVE]).data[0]
    last = group.lastTransactions[0]
    renewal = verifier.verify_and_decode_renewal_info(last.signedRenewalInfo)
    shown = verifier.verify_and_decode_signed_transaction(last.signedTransactionInfo)
    expect(f"{name}: a subscription", (
        last.status, last.originalTransactionId, renewal.autoRenewProductId,
        renewal.renewalPrice, shown.appAccountToken),
        (Status.ACTIVE, plan, "pro", 4990, token.replace("1", "6")))
    expect(f"{name}: nobody has none", api.get_all_subscription_statuses(
        plan, [Status.REVOKED]).data, [])
    extended = api.extend_subscription_renewal_date(plan, ExtendRenewalDateRequest(
        extendByDays=3, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION,
        requestIdentifier="one"))
    expect(f"{name}: an extension", (
        extended.success, extended.effectiveDate - shown.expiresDate), (True, 3 * 86_400_000))
    upgrade = store.post("purchases", {
        "account": account, "productId": "max", "environment": name})
    expect(f"{name}: an upgrade", (
        verifier.verify_and_decode_signed_transaction(
            api.get_transaction_info(plan).signedTransactionInfo).isUpgraded,
        upgrade["originalTransactionId"]), (True, plan))

    store.post(f"transactions/{bought[4]}/refund-request", {})
    api.send_consumption_information(bought[4], ConsumptionRequest(
        customerConsented=True, sampleContentProvided=False, consumptionPercentage=0,
        deliveryStatus=DeliveryStatus.UNDELIVERED_SERVER_OUTAGE,
        refundPreference=RefundPreference.GRANT_FULL))
    api.send_consumption_data(bought[4], ConsumptionRequestV1(
        customerConsented=True, sampleContentProvided=False,
        deliveryStatus=DeliveryStatusV1.DELIVERED_AND_WORKING_PROPERLY))
    refused(f"{name}: consumption without consent", lambda: api.send_consumption_information(
        bought[4], ConsumptionRequest(
            customerConsented=False, sampleContentProvided=False,
            deliveryStatus=DeliveryStatus.DELIVERED)), 400, 4000035)
    raw = api.get_app_transaction_info(bought[0]).signedAppTransactionInfo
    expect(f"{name}: the app itself", verifier.verify_and_decode_app_transaction(
        raw).rawReceiptType, name)
    api.extend_renewal_date_for_all_active_subscribers(MassExtendRenewalDateRequest(
        extendByDays=1, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
        requestIdentifier=f"all of {name}", productId="max"))
    extended = api.get_status_of_subscription_renewal_date_extensions(f"all of {name}", "max")
    expect(f"{name}: an extension for all", (
        extended.complete, extended.succeededCount, extended.failedCount), (True, 1, 0))

    if environment == Environment.PRODUCTION:
        order = api.look_up_order_id(store.ask("GET", f"transactions/{bought[0]}")["orderId"])
        expect(f"{name}: an order", (order.status, [
            one.transactionId for one in map(
                verifier.verify_and_decode_signed_transaction, order.signedTransactions)]),
            (OrderLookupStatus.VALID, [bought[0]]))
        expect(f"{name}: no order", api.look_up_order_id("MQXXXXXXXX").status,
               OrderLookupStatus.INVALID)

    unfinished = store.post("purchases", {
        "account": account, "productId": "coins", "environment": name})["transactionId"]
    api.finish_transaction(unfinished)
    expect(f"{name}: finished by the backend", store.post(
        f"transactions/{unfinished}/finish", {})["refused"], 409)

    token = api.request_test_notification().testNotificationToken
    for _ in range(50):
        try:
            status = api.get_test_notification_status(token)
            break
        except APIException:
            time.sleep(0.02)
    expect(f"{name}: a test notification", (
        [one.rawSendAttemptResult for one in status.sendAttempts],
        verifier.verify_and_decode_notification(status.signedPayload).rawNotificationType),
        (["SUCCESS"], "TEST"))

    now = store.ask("GET", "time")["now"]
    sent, token = [], None
    while True:
        page = api.get_notification_history(token, NotificationHistoryRequest(
            startDate=now - 1000, endDate=now + 1000))
        sent += page.notificationHistory
        token = page.paginationToken
        if not page.hasMore:
            break
    kinds = [verifier.verify_and_decode_notification(one.signedPayload).rawNotificationType
             for one in sent]
    expect(f"{name}: the notifications", (
        kinds.count("ONE_TIME_CHARGE"), kinds.count("REFUND"), kinds[-1]), (26, 2, "TEST"))
    expect(f"{name}: none of them failed", api.get_notification_history(
        None, NotificationHistoryRequest(
            startDate=now - 1000, endDate=now + 1000, onlyFailures=True)).notificationHistory, [])

    other = Environment.SANDBOX if name == "Production" else Environment.PRODUCTION
    refused(f"{name}: not of the other environment", lambda: client(
        store, other).get_transaction_info(bought[0]), 404, 4040010)
    refused(f"{name}: no identifier", lambda: api.get_transaction_info("abc"), 400, 4000006)
    refused(f"{name}: unknown", lambda: api.get_transaction_info("77"), 404, 4040010)
    refused(f"{name}: another app's token", lambda: client(
        store, environment, bundle="com.example.other").get_transaction_info(bought[0]), 401)
    return account, bought


def faults(store, api, id):
    store.ask("PUT", "faults/verifier-busy", {"times": 2})
    codes = set()
    for _ in range(2):
        try:
            api.get_transaction_info(id)
        except APIException as error:
            codes.add(error.http_status_code)
    expect("faults: too busy twice, and no third time", (
        codes <= {429, 500, 404}, api.get_transaction_info(id) is not None), (True, True))
    store.ask("PUT", "faults/F61", {"times": 1, "at": "fail verifier.request"})
    refused("faults: Apple's server fails", lambda: api.get_transaction_info(id), 503)
    heard = len(Backend.heard)
    store.ask("PUT", "faults/notification-twice", {"times": 1})
    account = store.post("accounts")["account"]
    store.post("purchases", {"account": account, "productId": "coins"})
    twice = Backend.heard[heard:]
    expect("faults: a notification twice", (
        len(twice), len({one.notificationUUID for one in twice})), (2, 1))
    store.ask("PUT", "faults/notification-forged", {"times": 1})
    store.post("purchases", {"account": account, "productId": "map"})
    store.post("time", {"minutes": 1})
    expect("faults: a forged one is not believed",
           isinstance(Backend.heard[-1], VerificationException))
    Backend.status = 500
    heard = len(Backend.heard)
    account = store.post("accounts")["account"]
    store.post("purchases", {"account": account, "productId": "coins"})
    store.post("time", {"days": 10})
    Backend.status = 200
    expect("faults: six attempts in production", len(
        [one for one in Backend.heard[heard:] if one.rawNotificationType == "ONE_TIME_CHARGE"]), 6)
    store.ask("DELETE", "faults")


def receipts(store, account, bought):
    utility = ReceiptUtility()
    for name, base in [("Production", ""), ("Sandbox", "/sandbox")]:
        text = store.ask("GET", f"accounts/{account[name]}/receipt?environment={name}")
        text = text["receipt-data"]
        expect(f"{name}: a receipt", utility.extract_transaction_id_from_app_receipt(
            text) is not None)

        def verify(base):
            request = urllib.request.Request(
                f"{store.plain}{base}/verifyReceipt", method="POST",
                data=json.dumps({"receipt-data": text, "password": "x"}).encode())
            return json.load(urllib.request.urlopen(request))

        answer = verify(base)
        expect(f"{name}: verifyReceipt", (
            answer["status"], answer["environment"], answer["receipt"]["bundle_id"],
            [one["product_id"] for one in answer["pending_renewal_info"]]),
            (0, name, BUNDLE, ["max"]))
        other = "" if base else "/sandbox"
        expect(f"{name}: at the other address", verify(other)["status"],
               21008 if name == "Production" else 21007)


def unchanged(store, folder, id):
    """Apple's client as it is: its own hosts, reached through the proxy."""
    program = f'''
import jwt, sys
from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
key = ec.generate_private_key(ec.SECP256R1()).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
api = AppStoreServerAPIClient(key, "K", "i", "{BUNDLE}", Environment.PRODUCTION)
print(len(api.get_transaction_info("{id}").signedTransactionInfo) > 1000)
'''
    roots = os.path.join(folder, "roots.pem")
    environment = dict(os.environ, HTTPS_PROXY=store.proxy, NO_PROXY="127.0.0.1,localhost",
                       REQUESTS_CA_BUNDLE=roots, SSL_CERT_FILE=roots)
    ran = subprocess.run([sys.executable, "-c", program], env=environment, text=True,
                         capture_output=True)
    expect("a client as it is, through the proxy", ran.stdout.strip(), "True")
    if ran.stderr:
        print(ran.stderr[-600:])


def strangers(store, folder):
    """What a web page could have a browser send, and bytes that are no text."""
    def status(path, method="GET", **headers):
        request = urllib.request.Request(
            store.plain + path, method=method, headers={key: value for key, value in headers.items()})
        try:
            return urllib.request.urlopen(request).status
        except urllib.error.HTTPError as error:
            return error.code

    before = store.ask("GET", "store")["transactions"]
    expect("a page elsewhere has no way in", [
        status("/chaos/v1/reset", "POST", Origin="https://evil.example"),
        status("/chaos/v1/reset", "POST", Origin="null"),
        status("/chaos/v1/reset", "POST", Host="evil.example"),
        status("/inApps/v1/transactions/1", Host="evil.example:8181"),
        store.ask("PUT", "notifications", {"production": "http://192.0.2.1/"})["refused"],
        store.ask("GET", "store")["transactions"]], [403, 403, 403, 403, 400, before])
    expect("a page of this machine has", status("/chaos/v1/store", Origin="http://localhost:3000"), 200)
    host, port = store.proxy.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 10) as connection:
        connection.sendall(
            b"CONNECT api.storekit.apple.com:443 HTTP/1.1\r\nX: " + b"\xff" * 64 + b"\r\n\r\n")
        expect("the proxy bears bytes that are no text", connection.recv(12), b"HTTP/1.1 200")
    expect("the keys are their owner's alone", os.stat(
        os.path.join(folder, "chain.pem")).st_mode & 0o777, 0o600)


def main(program):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Backend)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(program, folder, f"http://127.0.0.1:{server.server_address[1]}/apple")
        try:
            print(f"the store opened in {store.took * 1000:.0f} ms")
            root = store.bytes("chaos/v1/root.der")
            expect("the root is a certificate", x509.load_der_x509_certificate(
                root).subject.rfc4514_string().startswith("CN=ChaosStore Root CA"))
            verifiers = {
                environment: SignedDataVerifier([root], True, environment, BUNDLE, APP)
                for environment in (Environment.PRODUCTION, Environment.SANDBOX)}
            Backend.verifiers = {
                environment.value: verifier for environment, verifier in verifiers.items()}
            accounts = {}
            for environment, verifier in verifiers.items():
                accounts[environment.value], bought = calls(store, environment, verifier)
            expect("every notification was believed", [
                one for one in Backend.heard if isinstance(one, VerificationException)], [])
            receipts(store, accounts, bought)
            api = client(store, Environment.SANDBOX)
            faults(store, api, bought[0])
            production = store.ask("GET", f"accounts/{accounts['Production']}")["production"]
            strangers(store, folder)
            unchanged(store, folder, production["transactions"][0])
            first = [line["text"] for line in store.ask("GET", "history")["lines"]]
            expect("a history is kept", len(first) > 100)
        finally:
            expect("it stops when it is told to", store.stop(), 0)
    print(f"{failed} failed" if failed else "all of it is believed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1])
