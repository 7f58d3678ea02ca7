'use strict';
// A shop's backend: Node's own library and a file, nothing else.
//
//   PORT=5000 LEDGER=ledger.jsonl node shop.js [--defect=no-key | --defect=not-found]
//
// The app reports a transaction by its id. The shop asks Apple about it, and credits whoever is logged in with what it
// bought: a line in a file, written through to the disk before anybody hears of it. GET /credits lists the lines.
//
// --defect=no-key: a credit is whatever was reported. The app that got no answer reports again, and is credited again
// (PrestaShopCorp/ps_checkout#331).
// --defect=not-found: Apple does not know the transaction (4040010), so there is none, and the app is told never to ask
// again. Apple says that of purchases of the last half minute (apple/app-store-server-library-node#60).
// Without either, the transaction is the key of the credit, and what Apple does not know yet is asked for later.

const fs = require('fs');
const http = require('http');
const https = require('https');

const defect = (process.argv[2] || '').replace('--defect=', '');
const file = process.env.LEDGER;

/** What was credited, as the file has it now. */
function ledger() {
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, 'utf8').split('\n').filter((line) => line).map(JSON.parse);
}

/** Writes a credit down, and waits until the disk has it. */
function credit(account, bought) {
  const line = { account, transaction: bought.transactionId, product: bought.productId };
  const handle = fs.openSync(file, 'a');
  fs.writeSync(handle, JSON.stringify(line) + '\n');
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}

const encoded = (value) => Buffer.from(value).toString('base64url');

/** The token with which Apple is called; what signs it is left out here. */
function token() {
  const claims = {
    iss: 'issuer', aud: 'appstoreconnect-v1', bid: 'com.example.app',
    exp: Math.floor(Date.now() / 1000) + 300,
  };
  const header = { alg: 'ES256', kid: 'KEY', typ: 'JWT' };
  return [JSON.stringify(header), JSON.stringify(claims), Buffer.alloc(64)].map(encoded).join('.');
}

/** What one of Apple's hosts says of a transaction: { status, body }. */
function ask(host, transaction) {
  return new Promise((resolve, reject) => {
    const request = https.request({
      host, path: `/inApps/v1/transactions/${transaction}`, timeout: 30000,
      headers: { Authorization: `Bearer ${token()}` },
    }, (response) => {
      let text = '';
      response.on('data', (piece) => { text += piece; });
      response.on('end', () => resolve({ status: response.statusCode, text }));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
    request.end();
  });
}

/** What Apple says of a transaction, in production or in the sandbox; null where neither knows it. */
async function lookUp(transaction) {
  for (const host of ['api.storekit.apple.com', 'api.storekit-sandbox.apple.com']) {
    const { status, text } = await ask(host, transaction);
    const body = JSON.parse(text);
    if (status === 200) {
      return JSON.parse(Buffer.from(body.signedTransactionInfo.split('.')[1], 'base64url'));
    }
    if (body.errorCode !== 4040010) throw new Error(`Apple answers ${status}`);
  }
  return null;
}

const isCredited = (transaction) => ledger().some((line) => line.transaction === transaction);

async function purchase({ account, transaction }) {
  if (defect !== 'no-key' && isCredited(transaction)) return { state: 'had' };
  const bought = await lookUp(transaction);
  if (!bought) {
    if (defect === 'not-found') return { state: 'refused' };
    throw new Error('Apple does not know it yet');
  }
  if (bought.environment !== 'Production' || bought.revocationDate) return { state: 'refused' };
  // Nothing else happens between these two: Node does one thing at a time until it waits.
  if (defect !== 'no-key' && isCredited(transaction)) return { state: 'had' };
  credit(bought.appAccountToken || account, bought);
  return { state: 'credited' };
}

http.createServer((request, response) => {
  const answer = (status, value) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  if (request.method === 'GET' && request.url === '/credits') return answer(200, ledger());
  if (request.method !== 'POST' || request.url !== '/purchases') return answer(404, {});
  let text = '';
  request.on('data', (piece) => { text += piece; });
  request.on('end', () => {
    purchase(JSON.parse(text)).then(
      (value) => answer(200, value), (error) => answer(503, { error: error.message }));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
