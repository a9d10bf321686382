// Sealed columns: AES-256-GCM under a key derived from the master key. Table, column, row and account are associated
// data, so a sealed value opens only where it was written (DESIGN 3 "Keys"). Never logs, never keeps what it opened.

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { Secret, randomBytes } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import { masterKeyBytes } from './master-key.ts';

/** Where a sealed value stands. */
export type SealedPlace = {
  readonly table: string;
  readonly column: string;
  readonly rowId: string;
  /** Empty for rows that belong to no account. */
  readonly accountId: string;
};

export type ColumnSeal = {
  readonly seal: (place: SealedPlace, text: Secret) => string;
  /** Throws `internal` when the value was changed, moved from another place, or sealed under another master key. */
  readonly open: (place: SealedPlace, sealed: string) => Secret;
};

export function createColumnSeal(masterKey: Secret): ColumnSeal {
  const key = Buffer.from(hkdfSync('sha256', masterKeyBytes(masterKey), '', KEY_LABEL, KEY_BYTES));
  return {
    seal: (place, text) => sealText(key, place, text),
    open: (place, sealed) => openText(key, place, sealed),
  };
}

/** base64url of: version byte, nonce, ciphertext, tag. */
function sealText(key: Buffer, place: SealedPlace, text: Secret): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(place));
  const ciphertext = Buffer.concat([cipher.update(text.reveal(), 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, ciphertext, cipher.getAuthTag()]).toString('base64url');
}

function openText(key: Buffer, place: SealedPlace, sealed: string): Secret {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < 1 + NONCE_BYTES + TAG_BYTES || bytes[0] !== VERSION) throw unopenable(place);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(1, 1 + NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(place));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const ciphertext = bytes.subarray(1 + NONCE_BYTES, bytes.length - TAG_BYTES);
  try {
    return new Secret(Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8'));
  } catch (cause) {
    throw unopenable(place, cause);
  }
}

/** JSON keeps the parts apart whatever stands in them. */
function associatedData({ table, column, rowId, accountId }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([VERSION, table, column, rowId, accountId]));
}

function unopenable({ table, column, rowId }: SealedPlace, cause?: unknown): ServiceError {
  return new ServiceError(
    'internal',
    `Cannot open ${table}.${column} of ${rowId}: it was not sealed here with this master key`,
    { cause },
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
