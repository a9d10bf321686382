import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecureUrl } from './secure-url.ts';

test('isSecureUrl() takes https and this machine, and no name that only looks like it (contract 5.4)', () => {
  const cases: Readonly<Record<string, boolean>> = {
    'https://control.example.com': true,
    'http://localhost:8282': true,
    'http://control.share.localhost': true,
    'http://127.0.0.1:8282': true,
    'http://127.1': true,
    'http://localhost.': true,
    'http://[::1]:1': true,
    'http://control.example.com': false,
    'http://localhost.example.com': false,
    'http://127.0.0.1.example.com': false,
    'http://10.0.0.1': false,
    'http://[::2]': false,
    'ftp://localhost': false,
  };
  for (const [url, secure] of Object.entries(cases)) assert.equal(isSecureUrl(new URL(url)), secure, url);
});
