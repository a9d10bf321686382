// Challenges that wait for the ACME server's look, which may come to any gateway.

import type { AcmeNameId } from '../../domain/id.ts';
import type { Records } from '../records.ts';
import type { AcmeTable } from './acme.ts';
import type { Fenced } from './acme-lease.ts';

type ChallengeTable = Pick<AcmeTable, 'present' | 'challenges' | 'withdraw'>;

export function challengeTable({ read }: Records, fenced: Fenced): ChallengeTable {
  return {
    present: (holder, { token, nameId, kind, host, answer, expiresAt }) =>
      fenced(holder, async ({ db }) => {
        const facts = { name_id: nameId, kind, host, answer, expires_at: expiresAt };
        await db
          .insertInto('acme_challenges')
          .values({ token, ...facts })
          .onConflict((conflict) => conflict.column('token').doUpdateSet(facts))
          .execute();
      }),
    challenges: async () => {
      const rows = await read
        .selectFrom('acme_challenges')
        .selectAll()
        .orderBy('token')
        .limit(MOST_CHALLENGES)
        .execute();
      return rows.map(({ token, name_id, kind, host, answer, expires_at }) => ({
        token,
        nameId: name_id as AcmeNameId,
        kind,
        host,
        answer,
        expiresAt: expires_at,
      }));
    },
    withdraw: (holder, token) =>
      fenced(holder, async ({ db }) => {
        await db.deleteFrom('acme_challenges').where('token', '=', token).execute();
      }),
  };
}

/** One name is ordered at a time, so there are a few. */
const MOST_CHALLENGES = 1_000;
