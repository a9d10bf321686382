// What the command line takes for codes of a login by device (RFC 8628 section 3.2).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oauthCalls } from './oauth-calls.ts';

const CODES = {
  device_code: 'device',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://control.example.com/console/device',
  expires_in: 600,
  interval: 5,
};

test('begin() refuses an address of another origin, and times that are none', async () => {
  assert.equal((await begin({})).intervalMs, 5_000);
  assert.equal((await begin({ interval: undefined })).intervalMs, 5_000);
  for (const wrong of [
    { verification_uri: 'https://evil.example/console/device' },
    { verification_uri: 'http://control.example.com/console/device' },
    { verification_uri: 'javascript:alert(1)' },
    { verification_uri: '/console/device' },
    { interval: 0 },
    { interval: -1 },
    { interval: 61 },
    { expires_in: 0 },
    { expires_in: 1e9 },
  ])
    await assert.rejects(begin(wrong), JSON.stringify(wrong));
});

function begin(over: object) {
  const body = JSON.stringify({ ...CODES, ...over });
  const send = () => Promise.resolve({ status: 200, contentType: 'application/json', etag: null, body });
  return oauthCalls(new URL('https://control.example.com'), send).begin({ device: 'laptop', scope: 'full' });
}
