// kill -9 of the whole service at random moments while tokens are redeemed (contract 2.7, DESIGN "Issuing"):
// never two certificates for one token, never a token used up whose certificate its key cannot fetch, never
// one that no event tells of.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import { opensslCsr, OPENSSL_ALGORITHMS } from '../support/openssl.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { onPostgres, onSqlite } from './crash-service.ts';

export type CrashedRedeeming = { readonly kills: number; readonly tokens: number; readonly answers: number };

export function crashRedeemOnSqlite(kills: number): Promise<CrashedRedeeming> {
  return onSqlite((service) => crash(service, kills));
}

export function crashRedeemOnPostgres(kills: number): Promise<CrashedRedeeming> {
  return onPostgres((service) => crash(service, kills));
}

async function crash(service: ServiceProcess, kills: number): Promise<CrashedRedeeming> {
  const [own, other] = [csrOfNewKey(), csrOfNewKey()];
  const tokens = new Set<string>();
  let answers = 0;
  await service.start();
  for (let kill = 0; kill < kills; kill++) {
    const tried = await redeemUntilKilled(service, { own, other });
    await service.start();
    for (const each of tried) await check(service.client, each);
    for (const { id } of tried) tokens.add(id);
    answers += tried.reduce((sum, each) => sum + each.answers.size, 0);
  }
  await checkAll(service.client, tokens);
  return { kills, tokens: tokens.size, answers };
}

/** A token, the requests that it was tried with, and what was answered before the end. */
type Tried = {
  readonly id: string;
  readonly token: string;
  readonly csrs: readonly string[];
  /** Certificates by request. */
  readonly answers: Map<string, string>;
};

type Requests = { readonly own: string; readonly other: string };

async function redeemUntilKilled(service: ServiceProcess, csrs: Requests): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  const first = Promise.withResolvers<void>();
  const write = async (): Promise<void> => {
    for (let number = 0; ; number++) {
      // Another key's try is a failure, of which an address has twenty a minute.
      const made = await redeemOne(service.client, number === 0 ? csrs : { own: csrs.own, other: csrs.own });
      if (made === null) return;
      tried.push(made);
      first.resolve();
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, write));
  await Promise.race([first.promise, writers]);
  await pause(randomInt(MOMENT_MS));
  assert.equal(await service.stop('SIGKILL'), 'SIGKILL', 'the process ended only when it was killed');
  await writers;
  assert.ok(tried.length > 0);
  return tried;
}

/** Null when not even the token was made. */
async function redeemOne({ certificates }: Client, { own, other }: Requests): Promise<Tried | null> {
  const made = await answered(() => certificates.createToken({ name: 'crash', commonName: 'ann' }));
  if (made === null) return null;
  const { id, token } = made;
  const tried: Tried = { id, token, csrs: [...new Set([own, other])], answers: new Map() };
  const attempt = async (csr: string): Promise<void> => {
    const redeemed = await answered(() => certificates.redeem({ token, csr }));
    if (redeemed !== null) tried.answers.set(csr, redeemed.certificate);
  };
  await Promise.all([attempt(own), attempt(other)]);
  return tried;
}

/** Null when no answer came, or another key was faster. */
async function answered<Answer>(call: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await call();
  } catch (error) {
    const expected = ['control_unreachable', 'token_used'];
    if (error instanceof ServiceError && expected.includes(error.code)) return null;
    throw error;
  }
}

async function check({ certificates }: Client, { id, token, csrs, answers }: Tried): Promise<void> {
  const before = await certificates.showToken(id);
  const got = new Map<string, string>();
  for (const csr of csrs) {
    const redeemed = await answered(() => certificates.redeem({ token, csr }));
    if (redeemed !== null) got.set(csr, redeemed.certificate);
  }
  assert.equal(got.size, 1, 'one key gets the certificate, and one alone');
  for (const [csr, certificate] of answers)
    assert.equal(got.get(csr), certificate, 'it is the one of before');
  const after = await certificates.showToken(id);
  assert.ok(after.usedAt !== null);
  if (before.usedAt !== null) assert.deepEqual(after, before, 'what was used up stays as it was');
}

/** Each token has one certificate, and each certificate one event. */
async function checkAll({ certificates, auditEvents }: Client, tokens: ReadonlySet<string>): Promise<void> {
  const issued = await everything((cursor) => certificates.list({ limit: 200, cursor }));
  const of = issued.map(({ tokenId }) => tokenId).filter((id) => id !== null);
  assert.equal(new Set(of).size, of.length, 'no token has two');
  for (const id of tokens) assert.ok(of.includes(id));
  const events = await everything((cursor) =>
    auditEvents.list({ kind: ['certificate.issued'], limit: 200, cursor }),
  );
  const told = events.map(({ reason }) => reason).toSorted();
  assert.deepEqual(told, issued.map(({ id }) => id).toSorted());
}

async function everything<Item>(
  page: (
    cursor: string | null,
  ) => Promise<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let cursor: string | null = null; ;) {
    const { items, nextCursor } = await page(cursor);
    all.push(...items);
    if (nextCursor === null) return all;
    cursor = nextCursor;
  }
}

function csrOfNewKey(): string {
  return opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr;
}

const WRITERS = 3;
/** Some dozens of redemptions: each of their lines is met in a hundred kills. */
const MOMENT_MS = 200;
