import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionFault } from './connection-fault.ts';
import { ProxyFault } from './proxy-fault.ts';

test('connectionFault() says in words why nothing answers, and what to do about a certificate (DESIGN 2.4)', () => {
  assert.deepEqual(connectionFault(coded('ECONNREFUSED')), {
    found: 'nothing listens there',
    hint: null,
    extra: {},
  });
  const untrusted = connectionFault(coded('DEPTH_ZERO_SELF_SIGNED_CERT'));
  assert.match(untrusted.found, /not trusted/);
  assert.match(untrusted.hint ?? '', /NODE_EXTRA_CA_CERTS=/);
  assert.equal(connectionFault(coded('EWHATEVER')).found, 'EWHATEVER');
  assert.equal(connectionFault(new Error('it closed')).found, 'it closed');
  assert.equal(connectionFault('?').found, 'no answer');
  const refused = new ProxyFault('proxy_refused', 'the proxy refused', { status: 403, hint: 'Ask.' });
  assert.deepEqual(connectionFault(refused), {
    found: 'the proxy refused',
    hint: 'Ask.',
    extra: { proxy: { code: 'proxy_refused', status: 403 } },
  });
});

function coded(code: string): Error {
  return Object.assign(new Error('raw'), { code });
}
