// Calls a service with a client certificate, without dependencies: Node 24 or newer. It works for a
// callee and for a share of the gateway that requires certificates.
//
//   CERTIFICATE=billing.cert.pem KEY=billing.key.pem node caller.mjs https://reports.share.example.com/
//
// CA is a file with the CA certificates of servers, instead of those of the system. ADDRESS replaces what the
// DNS says about the name, like `--resolve` of curl.

import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { isIP } from 'node:net';

const { CERTIFICATE, KEY, CA, ADDRESS } = process.env;
const [url] = process.argv.slice(2);
if (!CERTIFICATE || !KEY || !url) {
  process.stderr.write('Set CERTIFICATE and KEY, and say what to call; see the head of caller.mjs.\n');
  process.exit(2);
}

// Read for each call: a renewed certificate has the same name.
const options = {
  cert: readFileSync(CERTIFICATE),
  key: readFileSync(KEY),
  ...(CA ? { ca: readFileSync(CA) } : {}),
  ...(ADDRESS
    ? { lookup: (_name, _options, done) => done(null, [{ address: ADDRESS, family: isIP(ADDRESS) }]) }
    : {}),
};
const request = get(url, options, (answer) => {
  answer.pipe(process.stdout);
  answer.on('end', () => (process.exitCode = answer.statusCode === 200 ? 0 : 1));
});
request.setTimeout(10_000, () => request.destroy(new Error('no answer came in ten seconds')));
request.on('error', (error) => {
  process.stderr.write(`Cannot call ${url}: ${error.message}\n`);
  process.exitCode = 1;
});
