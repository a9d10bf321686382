// ClientHellos cut, turned and doubled, read beside OpenSSL (class of Traefik CVE-2026-32305): the reader
// never throws, and where it finds a name or none, OpenSSL finds no other; and texts that are nearly request
// tokens.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { connect, TLSSocket } from 'node:tls';
import { parseCertificateRequestToken } from '../../src/domain/certificate-request-token.ts';
import { readClientHello } from '../../src/http/client-hello.ts';
import { broken, diceOf } from './mutations.ts';

export type HelloFound = { readonly inputs: number; readonly named: number; readonly beside: number };

export async function readMalformedHellos(inputs: number, seed: number = Date.now()): Promise<HelloFound> {
  const dice = diceOf(seed);
  const good = [await helloOf('app.share.example.com'), await helloOf('app.share.example.com', 'TLSv1.2')];
  let [named, beside] = [0, 0];
  for (let input = 0; input < inputs; input++) {
    const bytes = broken(dice.pick(good), dice);
    const read = readClientHello(bytes);
    if (read.kind !== 'hello') continue;
    named++;
    const theirs = await nameByOpenssl(bytes);
    // In TLS 1.3, it may have ended for want of a cipher before it came to the name.
    if (theirs === undefined || (theirs === null && read.serverName !== null)) continue;
    beside++;
    // OpenSSL says it as it came.
    const same = theirs?.toLowerCase().replace(/\.$/, '') ?? null;
    assert.equal(same, read.serverName, `seed ${seed}, input ${input}: ${bytes.toString('hex')}`);
  }
  return { inputs, named, beside };
}

/** Throws for a text that is taken and is no token. */
export function readMalformedTokens(inputs: number, seed: number = Date.now()): { readonly inputs: number } {
  const dice = diceOf(seed);
  for (let input = 0; input < inputs; input++) {
    const good = `crt_${dice.bytes(32).toString('base64url')}`;
    assert.equal(parseCertificateRequestToken(good)?.reveal(), good);
    const text = broken(Buffer.from(good), dice).toString(dice.pick(['latin1', 'utf8']));
    const taken = parseCertificateRequestToken(text) !== null;
    const plain =
      text.length === 47 && text.startsWith('crt_') && [...text].every((char) => LETTERS.includes(char));
    assert.equal(taken, plain, JSON.stringify(text));
  }
  return { inputs };
}

/** What a client sends first. */
async function helloOf(servername: string, maxVersion?: 'TLSv1.2'): Promise<Buffer> {
  const [ours, theirs] = duplexPair();
  const client = connect({ socket: ours, servername, ...(maxVersion === undefined ? {} : { maxVersion }) });
  client.on('error', () => undefined);
  let bytes = Buffer.alloc(0);
  while (readClientHello(bytes).kind === 'more') {
    const [chunk] = (await once(theirs, 'data')) as [Buffer];
    bytes = Buffer.concat([bytes, chunk]);
  }
  client.destroy();
  return bytes;
}

/** The name that OpenSSL finds, null for none; undefined when it refuses the hello. */
async function nameByOpenssl(bytes: Buffer): Promise<string | null | undefined> {
  const [ours, theirs] = duplexPair();
  let name: string | null | undefined;
  const server = new TLSSocket(theirs, {
    isServer: true,
    SNICallback: (servername, done) => {
      name = servername;
      done(new Error('it was read'));
    },
  });
  const closed = Promise.withResolvers<void>();
  server.on('close', () => closed.resolve());
  // Whoever names no server gets past the callback, and is told that there is no certificate.
  server.on('error', (error: Error & { readonly code?: string }) => {
    if (name === undefined && error.code === 'ERR_SSL_NO_SHARED_CIPHER') name = null;
    server.destroy();
  });
  // One that OpenSSL wants another of, or more of, is not judged.
  theirs.on('end', () => server.destroy());
  ours.on('error', () => undefined).resume();
  ours.end(bytes);
  await closed.promise;
  return name;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
