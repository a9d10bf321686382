// What an agent can serve, and what it says it cannot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLocalTarget } from './local-target.ts';

test('parseLocalTarget(): the host that a target is named by (DESIGN "Host of a backend")', () => {
  const hosts: Readonly<Record<string, string>> = {
    3000: 'localhost:3000',
    'http://10.0.0.5:8080': '10.0.0.5:8080',
    'https://wiki.internal': 'wiki.internal',
    'http://[::1]:3000': '[::1]:3000',
    'unix:/run/app.sock': 'localhost',
  };
  for (const [text, host] of Object.entries(hosts)) {
    const target = parseLocalTarget(text);
    assert.equal(target.host, host);
  }
});

test('parseLocalTarget(): refuses h2c, and says why (DESIGN "HTTP/2 to backends")', () => {
  for (const text of ['h2c://localhost:50051', 'H2C://localhost:50051'])
    assert.throws(() => parseLocalTarget(text), { code: 'usage', message: /by HTTP\/1\.1 alone$/ });
});
