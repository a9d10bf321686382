// Request tokens redeemed at several gateways at once, by holders of different keys, and at one that is
// killed meanwhile.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import type { FleetGateway } from './gateway-fleet.ts';
import { opensslCsr, OPENSSL_ALGORITHMS } from './openssl.ts';

/**
 * 200 tries at once, most of them with one key: one certificate, of one key. Gateways slow failures down
 * afterwards.
 */
export async function redeemAtAll(gateways: readonly FleetGateway[]): Promise<void> {
  const [one, two] = [csrOfNewKey(), csrOfNewKey()];
  const { id, token } = await newToken(gateways[0]);
  const tries = Array.from({ length: 200 }, async (_, index) => {
    const csr = index % 7 === 0 ? two : one;
    const gateway = gateways[index % gateways.length];
    assert.ok(gateway);
    return { csr, got: await redeem(gateway.client, { token, csr }) };
  });
  const answers = await Promise.all(tries);
  const made = answers.filter(({ got }) => got.certificate !== null);
  assert.equal(new Set(made.map(({ got }) => got.certificate)).size, 1, 'one certificate');
  assert.equal(new Set(made.map(({ csr }) => csr)).size, 1, 'for one key');
  const refusals = new Set(answers.map(({ got }) => got.code));
  const unexpected = [...refusals].filter((code) => !REFUSALS.has(code));
  assert.deepEqual(unexpected, []);
  for (const { client } of gateways) await requireOneCertificate(client, id);
}

/** Redeems at `victim` until it is killed; each token is then one certificate, or good, at `other`. */
export async function redeemAtKilled(victim: FleetGateway, other: FleetGateway): Promise<void> {
  const csr = csrOfNewKey();
  const answers: { readonly id: string; readonly token: string; certificate: string | null }[] = [];
  const first = Promise.withResolvers<void>();
  const write = async (): Promise<void> => {
    for (let dead = false; !dead;) {
      const answer = { ...(await newToken(other)), certificate: null as string | null };
      answers.push(answer);
      const { certificate, code } = await redeem(victim.client, { token: answer.token, csr });
      answer.certificate = certificate;
      dead = code === 'control_unreachable';
      first.resolve();
    }
  };
  const writers = Promise.all([write(), write(), write()]);
  await Promise.race([first.promise, writers]);
  await pause(randomInt(MOMENT_MS));
  await victim.stop('SIGKILL');
  await writers;
  for (const { id, token, certificate } of answers) {
    const again = await redeem(other.client, { token, csr });
    assert.ok(again.certificate !== null, again.code);
    assert.ok(certificate === null || again.certificate === certificate);
    await requireOneCertificate(other.client, id);
  }
}

async function newToken(
  gateway: FleetGateway | undefined,
): Promise<{ readonly id: string; readonly token: string }> {
  assert.ok(gateway);
  return gateway.client.certificates.createToken({ name: 'fleet', commonName: 'ann' });
}

type Answer = { readonly certificate: string | null; readonly code: string };

async function redeem({ certificates }: Client, input: { token: string; csr: string }): Promise<Answer> {
  try {
    return { certificate: (await certificates.redeem(input)).certificate, code: '' };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { certificate: null, code: error.code };
  }
}

async function requireOneCertificate({ certificates }: Client, tokenId: string): Promise<void> {
  const { items, nextCursor } = await certificates.list({ limit: 200 });
  assert.equal(nextCursor, null, 'all are on one page');
  assert.equal(items.filter((item) => item.tokenId === tokenId).length, 1);
}

function csrOfNewKey(): string {
  return opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr;
}

/**
 * Who fails often is slowed down, whatever is redeemed; and a busy database does not answer two hundred in
 * time.
 */
const REFUSALS: ReadonlySet<string> = new Set(['', 'token_used', 'rate_limited', 'store_unavailable']);
/** Some dozens of redemptions. */
const MOMENT_MS = 150;
