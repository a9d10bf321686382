import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logsConnectionIn } from './connection-login.ts';

test('logsConnectionIn() knows NTLM, Negotiate and Kerberos in credentials and among challenges (RFC 4559 section 6)', () => {
  for (const [name, value] of [
    ['Authorization', 'NTLM TlRMTVNTUAAB'],
    ['AUTHORIZATION', 'negotiate YII'],
    ['authorization', 'Kerberos x'],
    ['WWW-Authenticate', 'NTLM'],
    ['www-authenticate', 'Basic realm="a, b", Negotiate'],
    ['Www-Authenticate', 'Nego2,NTLM'],
    ['Proxy-Authenticate', '\tNTLM'],
  ] as const)
    assert.equal(logsConnectionIn(['Host', 'a', name, value]), true, `${name}: ${value}`);
  for (const [name, value] of [
    ['Authorization', 'Basic bnRsbTpuZWdvdGlhdGU='],
    ['Authorization', 'Bearer ntlm.negotiate'],
    ['WWW-Authenticate', 'Basic realm="x"'],
    ['X-Authenticated', 'NTLM'],
    ['Cookie', 'NTLM'],
  ] as const)
    assert.equal(logsConnectionIn(['Host', 'a', name, value]), false, `${name}: ${value}`);
});
