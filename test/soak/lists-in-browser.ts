// How soon the console shows the rows of its lists in an account that has very many of everything, on either
// database.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import type { AccountId } from '../../src/domain/id.ts';
import { startChromium } from '../support/chromium.ts';
import { startConsole } from '../support/console-browser.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { startOwnPostgres } from '../support/postgres.ts';
import type { TestService } from '../support/service.ts';
import { fillAudit } from './audit-search.ts';
import { browseLists, type BrowserTimes } from './browse-lists.ts';
import type { ConsoleList } from './console-lists.ts';
import { fillCertificates, fillHosts, fillPeople, fillRequestTokens } from './fill-account.ts';
import { fillLists, type Run } from './lists.ts';

export type BrowserSize = {
  readonly sessions: number;
  readonly rounds: number;
  /** Of these lists; all of the console's unless said. */
  readonly lists?: readonly ConsoleList[];
};

export async function browseOnSqlite(size: BrowserSize): Promise<BrowserTimes> {
  const site = await startConsole({}, startChromium);
  try {
    const { engine } = site.service.config.store;
    using database = new DatabaseSync(engine.kind === 'sqlite' ? engine.file : '');
    await fill(site.service, size, async (statement) => database.exec(statement));
    return await browseLists(site, size);
  } finally {
    await site.close();
  }
}

export async function browseOnPostgres(size: BrowserSize): Promise<BrowserTimes> {
  await using server = await startOwnPostgres({ durable: true });
  const url = await server.formedPlace();
  const site = await startConsole({ storeUrl: url.reveal() }, startChromium);
  try {
    await fill(site.service, size, async (statement) => void (await server.query(url, statement)));
    // As the server does by itself within a minute.
    await server.query(url, 'ANALYZE');
    return await browseLists(site, size);
  } finally {
    await site.close();
  }
}

/** A tenth as many shares as sessions, half as many certificates, and some of everything else. */
async function fill(service: TestService, { sessions }: BrowserSize, run: Run): Promise<void> {
  const { client, config } = service;
  const { id } = await client.account.show();
  const accountId = id as AccountId;
  const some = Math.min(2_000, Math.ceil(sessions / 10) - 1);
  await service.share('filled');
  const store = await openStore({
    engine: config.store.engine,
    masterKey: await readMasterKey(config.store.masterKeyFile),
    now: Date.now,
    exclusive: false,
  });
  try {
    const share = await store.shares.find(accountId, 'filled');
    assert.ok(share !== null);
    await fillLists(store, share, { size: { sessions, shares: Math.ceil(sessions / 10) }, run });
    const email = 'person@corp.example';
    const ask = { name: 'laptop', commonName: email, emailAddress: email };
    const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
    const { token } = await client.certificates.createToken(ask);
    const { serial } = await client.certificates.redeem({ token, csr });
    const first = await client.certificates.show(serial);
    await fillCertificates(run, { id: first.id, count: sessions >> 1 });
    await fillRequestTokens(run, { id: (await client.certificates.createToken(ask)).id, count: some });
    await fillPeople(run, { accountId, count: some - 10 });
    await fillHosts(run, { accountId, count: some });
    for (let n = 0; n < WEBHOOKS; n++)
      await client.webhooks.create({ url: `https://hook-${n}.example.com/`, kinds: ['ca.rotated'] });
    await fillAudit(store.audit, accountId, Math.max(400, sessions / 20));
    while (await store.certificates.index());
  } finally {
    await store.close();
  }
  // Its gateway knows of all of it, as that of an account that grew does.
  await service.restart();
}

const WEBHOOKS = 20;
