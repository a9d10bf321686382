import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { ServiceError } from '../../domain/service-error.ts';
import type { Engine } from '../engine.ts';
import { migrate } from '../migrations/run.ts';
import { openSqlite } from './open-sqlite.ts';

test('Engine.transact() commits together what comes together (Scale: a certificate for a token)', async (t) => {
  const { engine, file } = await engineFor(t);
  const before = commitsIn(file);
  await Promise.all(Array.from({ length: 30 }, (_, n) => keep(engine, `name-${n}`)));
  const commits = commitsIn(file) - before;
  assert.ok(commits >= 1 && commits <= 10, `${commits} commits for 30 transactions`);
});

test('Engine.transact() answers nothing before the commit that holds it, and shows it to nobody', async (t) => {
  const { engine, isKept } = await engineFor(t);
  await together(async (name) => {
    const answered = keep(engine, name).then(() => isKept(name));
    const isSplit = await engine.transact(async () => isKept(name));
    assert.equal(await answered, true);
    return !isSplit;
  });
});

test('Engine.transact() takes back what throws, and nothing else of its commit', async (t) => {
  const { engine, isKept } = await engineFor(t);
  const fault = new ServiceError('name_taken', 'Cannot do it: the name is taken');
  const failing = engine.transact(async (db) => {
    await db.insertInto('meta').values({ name: 'b', value: '1' }).execute();
    throw fault;
  });
  const all = await Promise.allSettled([keep(engine, 'a'), failing, keep(engine, 'c')]);
  assert.deepEqual(
    all.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  await assert.rejects(failing, fault);
  assert.deepEqual(['a', 'b', 'c'].map(isKept), [true, false, true]);
});

test('Engine.transact() takes back the first of a commit that throws, and keeps what follows', async (t) => {
  const { engine, isKept } = await engineFor(t);
  const fault = new ServiceError('name_taken', 'Cannot do it: the name is taken');
  for (const name of NAMES) {
    const failing = engine.transact(async (db) => {
      await db
        .insertInto('meta')
        .values({ name: `${name} gone`, value: '1' })
        .execute();
      throw fault;
    });
    await Promise.all([assert.rejects(failing, fault), keep(engine, name), keep(engine, `${name} too`)]);
    assert.deepEqual([`${name} gone`, name, `${name} too`].map(isKept), [false, true, true]);
  }
});

test('Engine.transact() answers no transaction alone that the database took back and that went on', async (t) => {
  const { engine, isKept } = await engineFor(t);
  const deaf = engine.transact(async (db) => {
    await db.insertInto('meta').values({ name: 'lost', value: '1' }).execute();
    await sql`ROLLBACK`.execute(db);
    return 'kept';
  });
  await assert.rejects(deaf, { code: 'store_unavailable' });
  await keep(engine, 'last');
  assert.deepEqual(['lost', 'last'].map(isKept), [false, true]);
});

test('Engine.transact() refuses nobody for the sake of what is not kept yet', async (t) => {
  const { engine, isKept } = await engineFor(t);
  const first = keep(engine, 'a');
  const again = keep(engine, 'a').catch(() => isKept('a'));
  await first;
  assert.equal(await again, true);
});

test('Engine.transact() answers none of a commit that failed, and goes on', async (t) => {
  const { engine, isKept } = await engineFor(t);
  await together(async (name) => {
    const first = keep(engine, name);
    const orphan = engine.transact(async (db) => {
      await sql`PRAGMA defer_foreign_keys = ON`.execute(db);
      await sql`INSERT INTO account_cas (id, account_id, certificate, private_key, created_at, not_after, crl_number)
        VALUES (${name}, 'acc_nobody', '', '', 0, 0, 0)`.execute(db);
      return 'made';
    });
    return isNothingLeft(isKept, name, [first, orphan]);
  });
  await keep(engine, 'last');
  assert.equal(isKept('last'), true);
});

test('Engine.transact() does not go on outside its transaction when the database took that back', async (t) => {
  const { engine, isKept } = await engineFor(t);
  await together(async (name) => {
    const first = keep(engine, name);
    const deaf = engine.transact(async (db) => {
      // As SQLite does by itself when the disk fails.
      await sql`ROLLBACK`.execute(db);
      await db
        .insertInto('meta')
        .values({ name: `${name} too`, value: '1' })
        .execute();
    });
    const isNothing = await isNothingLeft(isKept, name, [first, deaf]);
    assert.equal(isKept(`${name} too`), false);
    return isNothing;
  });
  await keep(engine, 'last');
  assert.equal(isKept('last'), true);
});

test('Engine.transactLong() keeps nobody waiting for its end who came before', async (t) => {
  const { engine, isKept } = await engineFor(t);
  for (const name of NAMES) {
    const first = keep(engine, name);
    const long = engine.transactLong(async (db) => {
      await db
        .insertInto('meta')
        .values({ name: `${name} too`, value: '1' })
        .execute();
      await first;
      return isKept(name);
    });
    assert.equal(await long, true);
    assert.equal(isKept(`${name} too`), true);
  }
});

test('Engine.transact() that waits for something else commits when it is done', async (t) => {
  const { engine, isKept } = await engineFor(t);
  for (const name of NAMES) {
    const first = keep(engine, name);
    await engine.transact(async (db) => {
      await nextTurn();
      await nextTurn();
      await db
        .insertInto('meta')
        .values({ name: `${name} too`, value: '1' })
        .execute();
    });
    await first;
    assert.deepEqual([name, `${name} too`].map(isKept), [true, true]);
  }
});

/** Whether both went in one commit, which failed. In two, the first is kept, and is answered. */
async function isNothingLeft(
  isKept: Rig['isKept'],
  name: string,
  both: readonly [Promise<unknown>, Promise<unknown>],
): Promise<boolean> {
  const [first, second] = await Promise.allSettled(both);
  assert.equal(second.status, 'rejected');
  assert.equal(isKept(name), first.status === 'fulfilled');
  return first.status === 'rejected';
}

/** Rounds, until one was a single commit: on a busy machine the first may take so long that it goes alone. */
async function together(round: (name: string) => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 100; n++) if (await round(`round ${n}`)) return;
  assert.fail('no two of a hundred went together');
}

function keep(engine: Engine, name: string): Promise<unknown> {
  return engine.transact((db) => db.insertInto('meta').values({ name, value: '1' }).execute());
}

type Rig = {
  readonly engine: Engine;
  readonly file: string;
  /** As another process sees it. */
  readonly isKept: (name: string) => boolean;
};

async function engineFor(t: { after(end: () => Promise<void>): void }): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-group-'));
  const file = join(folder, 'doorward.db');
  const engine = await openSqlite({ file, exclusive: false, now: Date.now });
  await migrate(engine);
  const other = new DatabaseSync(file, { readOnly: true });
  const find = other.prepare('SELECT 1 FROM meta WHERE name = ?');
  t.after(async () => {
    other.close();
    await engine.close();
    await rm(folder, { recursive: true });
  });
  return { engine, file, isKept: (name) => find.get(name) !== undefined };
}

/** Some of them go together, and some alone. */
const NAMES = Array.from({ length: 20 }, (_, n) => `round ${n}`);

/** Frames of the write-ahead log that end a commit (https://sqlite.org/fileformat2.html#walformat). */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes)
    if (log.readUInt32BE(at + 4) !== 0) commits++;
  return commits;
}
