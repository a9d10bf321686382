import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loginParameterFault } from './login-parameters.ts';

test('loginParameterFault() takes hints, and none of what makes a login safe, in any case (2.2 login_parameters)', () => {
  for (const [name, value] of [
    ['login_hint', 'ann@example.com'],
    ['domain_hint', 'example.com'],
    ['acr_values', 'urn:a urn:b'],
    ['ui_locales', 'de'],
    ['hd', 'example.com'],
    ['claims', '{"id_token":{"acr":{"essential":true}}}'],
  ] as const)
    assert.equal(loginParameterFault(name, value), null, name);
  const own =
    'state nonce redirect_uri response_type response_mode client_id client_secret scope code_challenge';
  const more = 'code_challenge_method prompt request request_uri STATE Scope';
  for (const name of [...`${own} ${more}`.split(' '), '', 'a b', 'a&b', 'a=b', 'é', 'x'.repeat(65)])
    assert.notEqual(loginParameterFault(name, 'x'), null, name);
  for (const value of ['', 'x'.repeat(301), 'a\nb', 'a\0'])
    assert.notEqual(loginParameterFault('login_hint', value), null, JSON.stringify(value));
});
