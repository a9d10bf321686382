// Makes a challenge answerable: in the store, where every gateway finds it, or as a TXT record. What was
// presented for an order that is over is taken back, whoever presented it.

import type { AcmeNameId } from '../domain/id.ts';
import type { Signer } from './connection.ts';
import { dnsDigest, keyAuthorization } from './jws.ts';
import type { Challenge } from './order.ts';
import type { OrdererDeps } from './orderer-deps.ts';

export type Presented = {
  readonly challenge: Challenge;
  readonly host: string;
  readonly nameId: AcmeNameId;
  readonly account: Signer;
  readonly pause: (ms: number) => Promise<void>;
};

type Deps = Pick<OrdererDeps, 'store' | 'holder' | 'dns' | 'now' | 'log'>;

export async function presentChallenge(
  { store, holder, dns, now }: Deps,
  { challenge: { token, kind }, host, nameId, account, pause }: Presented,
): Promise<void> {
  const authorization = keyAuthorization(token, account.jwk);
  const answer = kind === 'dns-01' ? dnsDigest(authorization) : authorization;
  // Before the record: whatever is put there can be found again, and taken back.
  await store.acme.present(holder, { token, nameId, kind, host, answer, expiresAt: now() + LASTS_MS });
  if (kind !== 'dns-01') return;
  if (dns === null) throw new Error(`Cannot prove ${host} by dns-01: acme.dns is not set up`);
  await dns.records.add({ name: recordName(host), value: answer });
  await pause(dns.waitMs);
}

/** Those of names that have no order under way. */
export async function clearChallenges({ store, holder, dns, now, log }: Deps): Promise<void> {
  const challenges = await store.acme.challenges();
  if (challenges.length === 0) return;
  const ordered = new Set((await store.acme.names()).filter((name) => name.ordered).map(({ id }) => id));
  for (const { token, nameId, kind, host, answer, expiresAt } of challenges) {
    if (ordered.has(nameId)) continue;
    try {
      if (kind === 'dns-01') await dns?.records.remove({ name: recordName(host), value: answer });
    } catch (error) {
      log.warn({ err: error, host }, 'Cannot remove the record of a challenge');
      // It proves nothing to anybody else; it is tried for an hour.
      if (expiresAt > now()) continue;
    }
    await store.acme.withdraw(holder, token);
  }
}

function recordName(host: string): string {
  return `_acme-challenge.${host}`;
}

const LASTS_MS = 60 * 60_000;
