import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startControl, type TestControl } from '../../../../test/support/control.ts';
import { createClient } from '../../../client/client.ts';
import { open, send } from '../../../client/send.ts';
import { makeShare } from './make-share.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

test('makeShare(): a kept share is opened by rules that open it and say so, and by nothing else (DESIGN "Rules")', async () => {
  const { shares } = createClient({
    url: control.url,
    apiKey: control.alice.apiKey,
    send: (call) => send(call, STRAIGHT),
    open: (call, signal) => open({ call, signal }, STRAIGHT),
  });
  const made = (settings: Parameters<typeof makeShare>[1]['settings']) =>
    makeShare(shares, { name: 'kept', settings });
  const rules = [{ allow: { everyone: true } }] as const;
  assert.equal((await made({ oauthProvider: 'test' })).open, false);
  assert.equal((await made({ open: true })).open, false);
  await assert.rejects(made({ rules }), { code: 'share_unprotected' });
  assert.equal((await made({ rules, open: true })).open, true);
});

const STRAIGHT = { clientCertificate: null, wayTo: () => null };
