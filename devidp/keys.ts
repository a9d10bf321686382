// The keys of the test provider, kept in a folder so that it is the same issuer after the next start.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type DevKeys = {
  /** Private keys as JWKs: RS256 first, which every client knows, and ES256. */
  readonly jwks: readonly { readonly use: 'sig'; readonly kid: string; readonly [member: string]: unknown }[];
  /** What the provider's own cookies are signed with. */
  readonly cookieKey: string;
};

/** Reads `keys.json` in the folder, or makes it (mode 0600) when there is none. */
export async function loadKeys(folder: string): Promise<DevKeys> {
  const file = join(folder, 'keys.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text !== null) return parseKeys(text, file);
  const keys = makeKeys();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Whole or not at all, should the machine stop in between.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return keys;
}

function parseKeys(text: string, file: string): DevKeys {
  try {
    const keys = JSON.parse(text) as DevKeys;
    if (Array.isArray(keys.jwks) && keys.jwks.length > 0 && typeof keys.cookieKey === 'string') return keys;
  } catch {
    // Said below, as for any other content.
  }
  throw new Error(
    `Cannot read ${file}: it contains no keys. Delete it, and the next start creates new ones.`,
  );
}

function makeKeys(): DevKeys {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    jwks: [
      { ...rsa.privateKey.export({ format: 'jwk' }), use: 'sig', kid: randomBytes(8).toString('hex') },
      { ...ec.privateKey.export({ format: 'jwk' }), use: 'sig', kid: randomBytes(8).toString('hex') },
    ],
    cookieKey: randomBytes(32).toString('base64url'),
  };
}
