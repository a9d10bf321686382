// Logout while SQLite takes no writes (contract 4.2), black-box: another connection holds the write lock, as
// a full or read-only disk would keep everything from being written. PostgreSQL that is stopped is in
// `operations-store.test.ts`.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ tls: true });
});
after(() => service.close());

test('no writes: a logout logs out at once, is refused here, and is in the store when that takes writes again (4.2)', async () => {
  const share = await service.share('leaving');
  const ada = service.browser();
  assert.equal((await walkLogin(ada, share.url, { email: 'ada@example.com' })).last.status, 200);
  const copy = service.browser();
  for (const cookie of ada.jar.all()) copy.jar.put(cookie);
  assert.equal((await copy.open(share.url)).status, 200);

  const holder = new DatabaseSync(join(service.folder, 'data', 'doorward.db'));
  holder.exec('BEGIN IMMEDIATE');
  const back = `${service.endpointUrl}/logged-out`;
  const out = await ada.open(`${service.endpointUrl}/corp/logout?redirect_url=${back}`);
  assert.deepEqual([out.status, out.location?.href], [302, back]);
  assert.match(out.setCookies.join(), /^svc-auth-session=; .*Max-Age=0/);
  assert.equal((await copy.open(share.url)).status, 302, 'a copied cookie is refused, too');
  assert.equal((await ada.open(share.url)).status, 302);

  holder.exec('ROLLBACK');
  holder.close();
  await eventually('the logout is written down', async () => {
    const { items } = await service.client.auditEvents.list();
    return items.some(({ kind }) => kind === 'logout');
  });
  await service.restart();
  assert.equal((await copy.open(share.url)).status, 302, 'it ended in the store');
});
