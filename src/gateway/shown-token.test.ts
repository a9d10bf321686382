import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../domain/secret.ts';
import { newServiceToken } from '../domain/service-token.ts';
import { readHead } from './head-facts.ts';
import { isServiceBearer, shownToken } from './shown-token.ts';

const TOKEN = newServiceToken().reveal();
const OTHER = newServiceToken().reveal();

function shown(...rawHeaders: readonly string[]): string {
  const found = shownToken(rawHeaders, readHead(rawHeaders));
  return found instanceof Secret ? found.reveal() : found;
}

test('shownToken() finds one token in either header, in any case of name and scheme (DESIGN "Service tokens")', () => {
  for (const headers of [
    ['svc-auth-token', TOKEN],
    ['SVC-Auth-Token', ` ${TOKEN}\t`],
    ['Authorization', `Bearer ${TOKEN}`],
    ['AUTHORIZATION', `bEARER   ${TOKEN}`],
    ['Authorization', 'Basic dXNlcjpwYXNz', 'svc-auth-token', TOKEN],
    ['Authorization', 'Bearer a-token-of-the-app', 'svc-auth-token', TOKEN],
  ])
    assert.equal(shown(...headers), TOKEN, headers.join());
});

test('shownToken() leaves every other Authorization, cookies and unlike names alone', () => {
  for (const headers of [
    [],
    ['Authorization', 'Bearer eyJhbGciOi'],
    ['Authorization', 'Basic dXNlcjpwYXNz'],
    ['Authorization', `Basic ${TOKEN}`],
    ['Authorization', `Bearer x${TOKEN}`],
    ['Cookie', `svc-auth-token=${TOKEN}`],
    ['svc_auth_token', TOKEN],
    ['x-svc-auth-token', TOKEN],
    ['Proxy-Authorization', `Bearer ${TOKEN}`],
  ])
    assert.equal(shown(...headers), 'none', headers.join());
});

test('shownToken() refuses two at once, repeated headers and what no token can be (DESIGN "Service tokens")', () => {
  for (const headers of [
    ['svc-auth-token', TOKEN, 'svc-auth-token', TOKEN],
    ['svc-auth-token', TOKEN, 'Svc-Auth-Token', OTHER],
    ['svc-auth-token', TOKEN, 'Authorization', `Bearer ${TOKEN}`],
    ['Authorization', `Bearer ${TOKEN}`, 'Authorization', `Bearer ${OTHER}`],
    ['Authorization', 'Basic dXNlcjpwYXNz', 'Authorization', `Bearer ${TOKEN}`],
    ['svc-auth-token', `${TOKEN}, ${OTHER}`],
    ['svc-auth-token', ''],
    ['svc-auth-token', TOKEN.slice(0, -1)],
    ['svc-auth-token', `${TOKEN}x`],
    ['svc-auth-token', `Bearer ${TOKEN}`],
    ['Authorization', 'Bearer dws_'],
    ['Authorization', `Bearer\t${TOKEN} `.concat('x')],
    ['Authorization', `Bearer ${TOKEN}, Basic x`],
    ['svc-auth-token', TOKEN.replace('dws_', 'DWS_')],
  ])
    assert.equal(shown(...headers), 'unusable', headers.join());
});

test('isServiceBearer() knows a service token however it is written, so that none is forwarded', () => {
  for (const value of [`Bearer ${TOKEN}`, `bearer\t${TOKEN}`, ` BEARER  dws_anything at all`])
    assert.equal(isServiceBearer(value), true, value);
  for (const value of ['Bearer dw_key', `Basic ${TOKEN}`, `Bearer x ${TOKEN}`, ''])
    assert.equal(isServiceBearer(value), false, value);
});
