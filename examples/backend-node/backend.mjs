// A backend behind Doorward, without dependencies: Node 20 or newer. It trusts only the gateway: each
// request must carry `svc-auth-assertion`, a JWT (ES256) signed for this share and no older than a few
// minutes. A share with custom hosts has a URL at each of them: list them all, separated by spaces.
//
//   DOORWARD_LOGIN_URL=https://login.example.com DOORWARD_SHARE_URL=https://app.share.example.com node backend.mjs

import { createPublicKey, verify } from 'node:crypto';
import { createServer, get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { lookup } from 'node:dns';
import { pathToFileURL } from 'node:url';

/**
 * Answers who is asking: the claims `{sub, email, provider, exp, …}` of a valid assertion, else null.
 *
 * @param {{ loginUrl: string, shareUrls: readonly string[] }} of the OAuth frontend's `endpoint_url`, and this share's URLs
 * @returns {(assertion: string | undefined) => Promise<Record<string, unknown> | null>}
 */
export function createVerifier({ loginUrl, shareUrls }) {
  const issuer = withoutSlash(loginUrl);
  const audiences = new Set(shareUrls.map(withoutSlash));
  const keyOf = createKeySet(new URL('/.well-known/jwks.json', loginUrl));
  return async (assertion) => {
    const [head, body, signature, ...more] = (assertion ?? '').split('.');
    if (!head || !body || !signature || more.length > 0) return null;
    const header = parse(head);
    // This service chooses the algorithm, not the sender.
    if (header?.alg !== 'ES256' || typeof header.kid !== 'string') return null;
    const key = await keyOf(header.kid);
    if (key === null) return null;
    const input = Buffer.from(`${head}.${body}`);
    const how = { key, dsaEncoding: 'ieee-p1363' };
    if (!verify('sha256', input, how, Buffer.from(signature, 'base64url'))) return null;
    const claims = parse(body);
    if (claims === null || withoutSlash(claims.iss) !== issuer) return null;
    if (!audiences.has(withoutSlash(claims.aud))) return null;
    return typeof claims.exp === 'number' && claims.exp * 1000 > Date.now() - LEEWAY_MS ? claims : null;
  };
}

/** Public keys by `kid`. An unknown one makes it read the set again, at most every ten seconds. */
function createKeySet(url) {
  let keys = new Map();
  let readAt = -Infinity;
  let reading = null;
  const read = async () => {
    const set = JSON.parse(await fetchText(url));
    const usable = set.keys.filter((jwk) => jwk.kty === 'EC' && jwk.crv === 'P-256');
    keys = new Map(usable.map((jwk) => [jwk.kid, createPublicKey({ key: jwk, format: 'jwk' })]));
    readAt = Date.now();
  };
  return async (kid) => {
    if (keys.has(kid)) return keys.get(kid);
    if (reading === null && Date.now() - readAt > READ_AGAIN_MS)
      reading = read().finally(() => (reading = null));
    await reading;
    return keys.get(kid) ?? null;
  };
}

function fetchText(url) {
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  return new Promise((resolve, reject) => {
    const request = get(url, { lookup: localhostLookup, timeout: 5000 }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(`Cannot read ${url}: status ${response.statusCode}`));
        return;
      }
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
        if (text.length > MAX_KEY_SET_LENGTH) request.destroy(new Error(`Cannot read ${url}: too long`));
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error(`Cannot read ${url}: no answer in 5 s`)));
    request.on('error', reject);
  });
}

/**
 * Names under `localhost` are this machine (RFC 6761), but Node asks the DNS for them. Only the quick start
 * needs this.
 */
function localhostLookup(name, options, done) {
  if (!name.endsWith('.localhost')) return lookup(name, options, done);
  const address = { address: '127.0.0.1', family: 4 };
  return options.all ? done(null, [address]) : done(null, address.address, address.family);
}

function parse(part) {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

function withoutSlash(url) {
  return typeof url === 'string' ? url.replace(/\/$/, '') : null;
}

/** The backend itself: says hello to whoever the gateway vouches for, and nothing to anybody else. */
export function createBackend(verifyAssertion) {
  return createServer(async (request, response) => {
    const say = (status, text) =>
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
    try {
      const claims = await verifyAssertion(request.headers['svc-auth-assertion']);
      if (claims === null) say(401, 'This backend answers only through its gateway.\n');
      else say(200, `Hello ${claims.email}, logged in at ${claims.provider}.\n`);
    } catch (error) {
      // The keys cannot be read. If in doubt, refuse.
      process.stderr.write(`${error.message}\n`);
      say(503, 'Cannot check who you are at the moment.\n');
    }
  });
}

// The clocks of two machines differ slightly.
const LEEWAY_MS = 5_000;
const READ_AGAIN_MS = 10_000;
const MAX_KEY_SET_LENGTH = 100_000;

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {
    DOORWARD_LOGIN_URL: loginUrl,
    DOORWARD_SHARE_URL: shares = '',
    PORT = '3000',
    HOST = '127.0.0.1',
  } = process.env;
  const shareUrls = shares.split(/\s+/).filter((url) => url !== '');
  if (!loginUrl || shareUrls.length === 0) {
    process.stderr.write('Set DOORWARD_LOGIN_URL and DOORWARD_SHARE_URL; see the head of this file.\n');
    process.exit(2);
  }
  const server = createBackend(createVerifier({ loginUrl, shareUrls }));
  server.listen(Number(PORT), HOST, () =>
    process.stdout.write(`Listening on http://${HOST}:${server.address().port}\n`),
  );
}
