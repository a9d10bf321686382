// Sealed columns: AES-256-GCM under a key derived from the master key. Table, column, row and account are
// associated data, so a sealed value opens only where it was written (DESIGN "Keys"). Never logs, never keeps
// what it opened.

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { Secret, randomBytes } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { masterKeyBytes } from './master-key.ts';
import type { SealedPlace } from './sealed-columns.ts';

/** Seals under one master key. */
export type Sealer = { readonly seal: (place: SealedPlace, text: Secret) => string };

export type ColumnSeal = {
  /**
   * Throws `internal` when the value was changed, moved from another place, or sealed under a master key
   * unknown here.
   */
  readonly open: (place: SealedPlace, sealed: string) => Secret;
  /** Whatever master key is the first. */
  readonly first: Sealer;
  /** The sealer whose key this value was sealed with. Throws as `open`. */
  readonly sealerOf: (place: SealedPlace, sealed: string) => Sealer;
};

/**
 * `more` is asked for further master keys when none of those known opens a value: while keys are rotated
 * there are two.
 */
export function createColumnSeal(masterKey: Secret, more: () => readonly Secret[] = () => []): ColumnSeal {
  const first = keyOf(masterKey);
  const known = new Map([[masterKey.reveal(), first]]);
  const find = (place: SealedPlace, sealed: string): Opened => {
    for (const key of known.values()) {
      const text = openText(key, place, sealed);
      if (text !== null) return { key, text };
    }
    // What became known stays: others may still seal with it.
    const fresh = more().filter((key) => !known.has(key.reveal()));
    for (const key of fresh) known.set(key.reveal(), keyOf(key));
    if (fresh.length === 0) throw unopenable(place);
    return find(place, sealed);
  };
  return {
    open: (place, sealed) => find(place, sealed).text,
    first: sealerWith(first),
    sealerOf: (place, sealed) => sealerWith(find(place, sealed).key),
  };
}

type Opened = { readonly key: Buffer; readonly text: Secret };

function keyOf(masterKey: Secret): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKeyBytes(masterKey), '', KEY_LABEL, KEY_BYTES));
}

function sealerWith(key: Buffer): Sealer {
  return { seal: (place, text) => sealText(key, place, text) };
}

/** base64url of: version byte, nonce, ciphertext, tag. */
function sealText(key: Buffer, place: SealedPlace, text: Secret): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(place));
  const ciphertext = Buffer.concat([cipher.update(text.reveal(), 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, ciphertext, cipher.getAuthTag()]).toString('base64url');
}

/** Null when this key does not open it. */
function openText(key: Buffer, place: SealedPlace, sealed: string): Secret | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < 1 + NONCE_BYTES + TAG_BYTES || bytes[0] !== VERSION) return null;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(1, 1 + NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(place));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const ciphertext = bytes.subarray(1 + NONCE_BYTES, bytes.length - TAG_BYTES);
  try {
    return new Secret(Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8'));
  } catch {
    return null;
  }
}

/** JSON keeps the parts apart whatever stands in them. */
function associatedData({ table, column, rowId, accountId }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([VERSION, table, column, rowId, accountId]));
}

function unopenable({ table, column, rowId }: SealedPlace): ServiceError {
  return new ServiceError(
    'internal',
    `Cannot open ${table}.${column} of ${rowId}: it was not encrypted with this master key`,
  );
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D: 96 random bits serve 2^32 values under one key, more than this store will ever write. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Stands before each value, so that another key or cipher can follow without touching old rows. */
const VERSION = 1;
const KEY_LABEL = 'doorward column seal 1';
