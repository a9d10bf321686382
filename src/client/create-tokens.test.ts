import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl } from '../../test/support/control.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { MadeToken, NewTokenObject } from '../wire/certificate.ts';
import { createNodeClient } from './node-client.ts';
import { createTokens, labelIn, type TokenOutcome } from './create-tokens.ts';

test('createTokens() makes each once: what failed is tried again alone, and what nobody answered leaves no second one (2.7)', async () => {
  await using control = await startControl();
  const { certificates } = createNodeClient({ url: control.url, apiKey: control.alice.apiKey });
  const wanted: readonly NewTokenObject[] = Array.from({ length: 12 }, (_, index) => ({
    name: labelIn('1', nameOf(index)),
    commonName: nameOf(index),
    emailAddress: `p${index}@example.com`,
  }));
  const tally = { now: 0, most: 0 };
  const flaky = {
    ...certificates,
    async createToken(token: NewTokenObject): Promise<MadeToken> {
      tally.most = Math.max(tally.most, ++tally.now);
      try {
        if (token.commonName === 'p3')
          throw new ServiceError('policy_violation', 'Cannot create the token: no');
        const made = await certificates.createToken(token);
        // It was made, and the answer was lost on its way.
        if (token.commonName === 'p5')
          throw new ServiceError('control_unreachable', 'Cannot reach the service');
        return made;
      } finally {
        tally.now--;
      }
    },
  };
  const outcomes: (TokenOutcome | null)[] = wanted.map(() => null);
  const came = (place: number, outcome: TokenOutcome) => {
    outcomes[place] = outcome;
  };
  // A colleague’s own token for the same person stays.
  await certificates.createToken({ name: 'p5', commonName: 'p5', emailAddress: 'p5@example.com' });
  await createTokens(flaky, { wanted, earlier: [], came });
  const failed = () => outcomes.flatMap((outcome, place) => (outcome?.made ? [] : [place]));
  assert.deepEqual(failed(), [3, 5]);
  assert.ok(tally.most <= 4 && tally.most > 1);
  await createTokens(certificates, { wanted, earlier: [...outcomes], came });
  assert.deepEqual(failed(), []);
  const { items } = await certificates.listTokens({ state: 'open', limit: 200 });
  assert.equal(items.length, 13);
  const ids = new Set(items.map(({ id }) => id));
  for (const outcome of outcomes) assert.ok(outcome?.made && ids.has(outcome.made.id), 'each link works');
});

/** One of them is as long as the API takes. */
function nameOf(index: number): string {
  return index === 7 ? 'p7'.repeat(32) : `p${index}`;
}
