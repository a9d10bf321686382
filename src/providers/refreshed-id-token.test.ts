import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseRefreshed } from './refreshed-id-token.ts';

const NOW = Date.UTC(2030, 0, 1);
const IAT = NOW / 1000;
const FORMER = {
  iss: 'https://id.example',
  sub: 'ann',
  aud: 'client-1',
  iat: IAT - 3600,
  auth_time: 7,
  nonce: 'n',
};
const FRESH = { iss: FORMER.iss, sub: 'ann', aud: 'client-1', iat: IAT };

function judge(fresh: object, former: object | null = FORMER) {
  return refuseRefreshed({ ...FRESH, ...fresh }, { subject: 'ann', claims: former && { ...former } }, NOW);
}

test('refuseRefreshed() takes an id token of the same person and login (OpenID Connect Core 12.2)', () => {
  for (const fresh of [
    {},
    { auth_time: 7 },
    { nonce: 'n' },
    { aud: ['client-1', 'other'] },
    { iat: IAT + 60 },
  ])
    assert.equal(judge(fresh), null, JSON.stringify(fresh));
  assert.equal(judge({ azp: 'client-1' }, { ...FORMER, azp: 'client-1' }), null);
  assert.equal(judge({ auth_time: 9 }, { ...FORMER, auth_time: undefined }), null, 'it was not said before');
  assert.equal(judge({ iss: 'https://any.example' }, null), null, 'none was kept');
});

test('refuseRefreshed() refuses another subject, issuer, audience, party, login and time (OpenID Connect Core 12.2)', () => {
  assert.equal(judge({ sub: 'eve' }), 'subject_changed');
  assert.equal(judge({ sub: undefined }, null), 'subject_changed');
  const changed = [
    { iss: 'https://other.example' },
    { aud: 'client-2' },
    { azp: 'client-1' },
    { auth_time: 8 },
    { nonce: 'another' },
    { iat: IAT - 7200 },
    { iat: IAT + 3600 },
    { iat: undefined },
  ];
  for (const fresh of changed) assert.equal(judge(fresh), 'id_token_changed', JSON.stringify(fresh));
  assert.equal(judge({}, { ...FORMER, azp: 'client-1' }), 'id_token_changed');
});
