// Where certificate signing requests come from: openssl, GnuTLS, Node, and a browser. Each makes a key of the
// kind that it is asked for and a request that the key signed, as PEM.

import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { chromium, type Page } from 'playwright-core';
import { certificationRequest, type RequestSignature } from '../../src/x509/csr-writer.ts';
import { sequence, unsignedInteger } from '../../src/x509/der.ts';
import { pem } from '../../src/x509/pem.ts';
import { OPENSSL_ALGORITHMS, opensslCsr, withFiles } from './openssl.ts';

export type KeyName = keyof typeof OPENSSL_ALGORITHMS;

export const KEY_NAMES = Object.keys(OPENSSL_ALGORITHMS) as readonly KeyName[];

export function opensslRequest(key: KeyName): string {
  return opensslCsr(OPENSSL_ALGORITHMS[key]).csr;
}

export const NO_CERTTOOL =
  spawnSync('certtool', ['--version']).status === 0 ? false : 'certtool of GnuTLS is not installed';

/** With the readable text that certtool puts above the PEM. */
export function gnutlsRequest(key: KeyName): string {
  return withFiles({ 'request.cfg': 'cn = somebody\n' }, (path) => {
    certtool('--generate-privkey', ...CERTTOOL_KEYS[key], '--outfile', path('key.pem'));
    const template = ['--template', path('request.cfg')];
    return certtool('--generate-request', '--load-privkey', path('key.pem'), ...template);
  });
}

function certtool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('certtool', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot run certtool: ${stderr}`);
  return stdout;
}

const CERTTOOL_KEYS: Readonly<Record<KeyName, readonly string[]>> = {
  'RSA-2048': ['--key-type', 'rsa', '--bits', '2048'],
  'RSA-3072': ['--key-type', 'rsa', '--bits', '3072'],
  'RSA-4096': ['--key-type', 'rsa', '--bits', '4096'],
  'P-256': ['--key-type', 'ecdsa', '--curve', 'secp256r1'],
  'P-384': ['--key-type', 'ecdsa', '--curve', 'secp384r1'],
  Ed25519: ['--key-type', 'ed25519'],
};

/** As `doorward cert request` makes one. */
export async function nodeRequest(key: KeyName): Promise<string> {
  const { publicKey, privateKey } = nodeKey(key);
  const signature = SIGNATURES[key];
  const hash = signature === 'ed25519' ? null : signature.replace(/^\w+-/, '');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const der = await certificationRequest(spki, signature, (bytes) =>
    Promise.resolve(sign(hash, bytes, privateKey)),
  );
  return pem('CERTIFICATE REQUEST', der);
}

function nodeKey(key: KeyName): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  if (key === 'Ed25519') return generateKeyPairSync('ed25519');
  if (key === 'P-256' || key === 'P-384') return generateKeyPairSync('ec', { namedCurve: key });
  return generateKeyPairSync('rsa', { modulusLength: Number(key.slice(4)) });
}

const SIGNATURES: Readonly<Record<KeyName, RequestSignature>> = {
  'RSA-2048': 'rsa-sha256',
  'RSA-3072': 'rsa-sha256',
  'RSA-4096': 'rsa-sha256',
  'P-256': 'ecdsa-sha256',
  'P-384': 'ecdsa-sha384',
  Ed25519: 'ed25519',
};

export type RequestBrowser = {
  /** The key is made by WebCrypto, cannot be taken out of the page, and signs there. */
  readonly request: (key: 'RSA-2048' | 'P-256' | 'P-384') => Promise<string>;
  readonly close: () => Promise<void>;
};

export async function startRequestBrowser(): Promise<RequestBrowser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  // WebCrypto is for secure contexts alone; nothing leaves this machine.
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto('https://request.example/');
  return { request: (key) => browserRequest(page, key), close: () => browser.close() };
}

/** As a page has them; Node's types know no browser. */
type BrowserKeys = {
  readonly publicKey: Parameters<typeof crypto.subtle.exportKey>[1];
  readonly privateKey: Parameters<typeof crypto.subtle.exportKey>[1];
};

async function browserRequest(page: Page, key: 'RSA-2048' | 'P-256' | 'P-384'): Promise<string> {
  const algorithm =
    key === 'RSA-2048'
      ? {
          name: 'RSASSA-PKCS1-v1_5',
          modulusLength: 2048,
          publicExponentBase64: 'AQAB',
          hash: 'SHA-256',
        }
      : { name: 'ECDSA', namedCurve: key, hash: key === 'P-256' ? 'SHA-256' : 'SHA-384' };
  const pair = await page.evaluateHandle(
    ({ publicExponentBase64 = '', ...rest }) =>
      crypto.subtle.generateKey(
        {
          ...rest,
          publicExponent: Uint8Array.from(atob(publicExponentBase64), (char) => char.charCodeAt(0)),
        },
        false,
        ['sign', 'verify'],
      ) as Promise<BrowserKeys>,
    algorithm,
  );
  const spki = await page.evaluate(
    async ({ publicKey }) => [...new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))],
    pair,
  );
  const signIn = async (bytes: Uint8Array): Promise<Uint8Array> => {
    const made = await pair.evaluate(
      async ({ privateKey }, { name, hash, data }) => [
        ...new Uint8Array(await crypto.subtle.sign({ name, hash }, privateKey, Uint8Array.from(data))),
      ],
      { name: algorithm.name, hash: algorithm.hash, data: [...bytes] },
    );
    const signature = Uint8Array.from(made);
    return key === 'RSA-2048' ? signature : asDer(signature);
  };
  return pem(
    'CERTIFICATE REQUEST',
    await certificationRequest(Uint8Array.from(spki), SIGNATURES[key], signIn),
  );
}

/**
 * WebCrypto writes the two numbers of an ECDSA signature side by side, X.509 as a sequence (RFC 3279 section
 * 2.2.3).
 */
function asDer(signature: Uint8Array): Uint8Array {
  const half = signature.length / 2;
  return sequence(unsignedInteger(signature.subarray(0, half)), unsignedInteger(signature.subarray(half)));
}

const CHROMIUM = '/usr/bin/chromium';
