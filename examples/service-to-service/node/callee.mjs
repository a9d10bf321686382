// A service that authenticates other services by their client certificates, without dependencies: Node 24 or
// newer. It trusts the certificate authorities of one account, checks their CRLs, and allows the subjects in
// CALLERS.
//
//   PKI_URL=https://control.example.com/pki/acc_… CALLERS='CN=billing,OU=Services,O=Corp' \
//   TLS_CERTIFICATE=server.pem TLS_KEY=server.key node callee.mjs
//
// CALLERS has one subject per line. REFRESH_SECONDS (60) is how long a revocation can take to apply here.

import { constants } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createTrust } from './trust.mjs';

const { PKI_URL, CALLERS, TLS_CERTIFICATE, TLS_KEY, HOST = '127.0.0.1', PORT = '3443' } = process.env;
const refreshMs = Number(process.env.REFRESH_SECONDS ?? 60) * 1000;
if (!PKI_URL || !CALLERS || !TLS_CERTIFICATE || !TLS_KEY) {
  process.stderr.write('Set PKI_URL, CALLERS, TLS_CERTIFICATE and TLS_KEY; see the head of callee.mjs.\n');
  process.exit(2);
}

const trust = createTrust({ pkiUrl: PKI_URL, subjects: new Set(CALLERS.split('\n').filter(Boolean)) });
// Without CA certificates and CRLs, the service does not start.
await trust.refresh();

const server = createServer(
  { ...tlsOptions(), requestCert: true, rejectUnauthorized: true },
  (request, response) => {
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    const certificate = request.socket.getPeerX509Certificate();
    const refusal = trust.refusal(certificate?.raw);
    if (refusal !== null) {
      response.writeHead(403, { connection: 'close' });
      return void response.end(`This service does not answer ${refusal}.\n`);
    }
    return void response.end(`Hello ${certificate.subject.split('\n').at(-1)}.\n`);
  },
);

setInterval(() => {
  trust.refresh().then(
    () => server.setSecureContext(tlsOptions()),
    // The current CRLs stay valid until they expire.
    (error) => process.stderr.write(`Cannot refresh: ${error.message}\n`),
  );
}, refreshMs);

server.listen(Number(PORT), HOST, () => {
  const { address, port } = server.address();
  process.stdout.write(`Listening on https://${address}:${port}\n`);
});

function tlsOptions() {
  return {
    cert: readFileSync(TLS_CERTIFICATE),
    key: readFileSync(TLS_KEY),
    ...trust.files(),
    // A resumed session would skip the certificate checks of a handshake.
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}
