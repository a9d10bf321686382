// An account's authority: made with the account, replaced by hand. The only file that touches its private
// key, which leaves neither this file nor, sealed, the store (DESIGN "Issuing", 4 "Import law").

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign as nodeSign,
  type SignKeyObjectInput,
} from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { atMost } from '../domain/at-most.ts';
import { createFairPlaces } from '../domain/fair-places.ts';
import { type AccountCaId, type AccountId, newId } from '../domain/id.ts';
import { randomBytes, Secret } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { AccountCa, NewAccountCa, SigningCa } from '../store/certificates/certificate.ts';
import type { Store } from '../store/store.ts';
import type { Account } from '../store/people/account.ts';
import { authorityCertificate, type Issuer, type Sign, type SignAside } from '../x509/certificate.ts';
import { serialFrom } from '../x509/serial.ts';
import { subjectName } from '../x509/subject-name.ts';

export type AuthorityDeps = { readonly store: Pick<Store, 'cas' | 'accounts'>; readonly now: () => number };

/** An authority that can sign. */
export type SigningAuthority = {
  readonly ca: AccountCa;
  readonly issuer: Issuer;
  readonly sign: Sign;
  readonly signAside: SignAside;
};

/**
 * Those that the account trusts, the one that issues first. Makes the first one. Throws `account_unknown`.
 */
export async function authoritiesOf(
  deps: AuthorityDeps,
  accountId: AccountId,
): Promise<readonly AccountCa[]> {
  const known = await deps.store.cas.list(accountId, deps.now());
  if (known.some(({ retiredAt }) => retiredAt === null)) return known;
  await deps.store.cas.put(await makeAuthority(deps, accountId), true);
  return deps.store.cas.list(accountId, deps.now());
}

/** The one that issues, ready to sign. Throws `account_unknown`. */
export async function issuingAuthority(deps: AuthorityDeps, accountId: AccountId): Promise<SigningAuthority> {
  const issuing =
    (await deps.store.cas.issuing(accountId, deps.now())) ?? (await firstIssuing(deps, accountId));
  if (issuing === null)
    throw new ServiceError('internal', 'Cannot sign: the account has no certificate authority');
  return openedAuthority(deps, issuing);
}

async function firstIssuing(deps: AuthorityDeps, accountId: AccountId): Promise<SigningCa | null> {
  await authoritiesOf(deps, accountId);
  return deps.store.cas.issuing(accountId, deps.now());
}

/** Throws `internal` when its key is not in the store. */
export async function signingAuthority(deps: AuthorityDeps, ca: AccountCa): Promise<SigningAuthority> {
  const privateKey = await deps.store.cas.privateKey(ca.accountId, ca.id);
  if (privateKey === null) throw new ServiceError('internal', `Cannot sign: the key of ${ca.id} was deleted`);
  return openedAuthority(deps, { ca, privateKey });
}

function openedAuthority({ store, now }: AuthorityDeps, { ca, privateKey }: SigningCa): SigningAuthority {
  const opened = openedIn(store.cas);
  const pem = privateKey.reveal();
  const known = opened.get(ca.id);
  // The store was asked for it all the same: what is gone from there, or damaged, signs nothing more.
  if (known !== undefined && known.pem === pem && isWithin(known, now())) return { ca, ...known.signing };
  const openedAt = now();
  const key = createPrivateKey(pem);
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const using = { key, dsaEncoding: 'der' } as const;
  const signing = {
    issuer: { name: subjectName(ca.certificate), spki },
    sign: (bytes: Uint8Array) => nodeSign(HASH, bytes, using),
    signAside: (bytes: Uint8Array) => signAside(ca.accountId, bytes, using),
  };
  opened.set(ca.id, { pem, openedAt, signing });
  return { ca, ...signing };
}

type Opened = {
  readonly pem: string;
  readonly openedAt: number;
  readonly signing: Omit<SigningAuthority, 'ca'>;
};

/**
 * On threads beside, few at once: more would only take the cores from requests. An account with a rush of
 * them waits for its own.
 */
async function signAside(
  accountId: AccountId,
  bytes: Uint8Array,
  using: SignKeyObjectInput,
): Promise<Uint8Array> {
  const leave = await SIGNING.enter(accountId, NEVER);
  try {
    return await signOnPool(HASH, bytes, using);
  } finally {
    leave();
  }
}

/** Keys that were used a moment ago: to open one costs as much as half of what it signs. */
function openedIn(cas: AuthorityDeps['store']['cas']): LRUCache<AccountCaId, Opened> {
  const known = OPENED.get(cas) ?? new LRUCache<AccountCaId, Opened>(atMost(MAX_OPENED));
  OPENED.set(cas, known);
  return known;
}

/** A clock that was set back closes it. */
function isWithin({ openedAt }: Opened, now: number): boolean {
  return now >= openedAt && now < openedAt + OPENED_MS;
}

/**
 * Puts a new one in the place of the one that issues. What that one issued stays good. Throws `rate_limited`
 * when there were many within a day.
 */
export async function rotateAuthority(deps: AuthorityDeps, accountId: AccountId): Promise<AccountCa> {
  await authoritiesOf(deps, accountId);
  return deps.store.cas.put(await makeAuthority(deps, accountId), false);
}

/** A fresh one, for the store to keep with the account that is made at the same time. */
export function newAuthority(account: Pick<Account, 'id' | 'name'>, createdAt: number): NewAccountCa {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
  const id = newId('aca');
  const notAfter = wholeSeconds(createdAt + LIFETIME_MS);
  const certificate = authorityCertificate(
    {
      serial: serialFrom(randomBytes(16)),
      subject: {
        organization: account.name,
        organizationalUnit: null,
        // Its own name for each: two of one name and different keys are mixed up by some who check chains.
        commonName: `${account.name} CA ${id.slice(-6)}`.slice(-64),
      },
      spki: publicKey.export({ format: 'der', type: 'spki' }),
      notBefore: wholeSeconds(createdAt - BACKDATED_MS),
      notAfter,
    },
    (bytes) => nodeSign(HASH, bytes, { key: privateKey, dsaEncoding: 'der' }),
  );
  const pem = new Secret(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  return { ca: { id, accountId: account.id, certificate, createdAt, notAfter }, privateKey: pem };
}

async function makeAuthority({ store, now }: AuthorityDeps, accountId: AccountId): Promise<NewAccountCa> {
  const account = await store.accounts.find(accountId);
  if (account === null)
    throw new ServiceError(
      'account_unknown',
      'Cannot create a certificate authority: the account was deleted',
    );
  return newAuthority(account, now());
}

/** Certificates and their dates have whole seconds. */
export function wholeSeconds(atMs: number): number {
  return Math.floor(atMs / 1000) * 1000;
}

/** For clocks that are behind ours (DESIGN "Issuing"). */
export const BACKDATED_MS = 5 * 60_000;
const signOnPool = promisify(nodeSign);
const SIGNING = createFairPlaces({ atOnce: 4, waiting: Number.MAX_SAFE_INTEGER });
const NEVER = new AbortController().signal;
/** By the table that they came from: no store's key signs for another's. */
const OPENED = new WeakMap<object, LRUCache<AccountCaId, Opened>>();
/** A rush of redemptions is of one account, or of few. */
const MAX_OPENED = 100;
/** A key that was deleted with its account signs nothing: what it may sign for is read each time. */
const OPENED_MS = 60_000;
const CURVE = 'P-384';
const HASH = 'sha384';
const DAY_MS = 86_400_000;
/** Ten years: it is put in place of by hand, and each machine that trusts it must be told. */
const LIFETIME_MS = 3_650 * DAY_MS;
