import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createClientAuthority } from '../../../../test/support/client-authority.ts';
import { newId } from '../../../domain/id.ts';
import { type FaultCode, ServiceError } from '../../../domain/service-error.ts';
import type { HeldFiles } from './certificate-files.ts';
import { dueIn, keepRenewed, type KeepOptions, retryMs } from './keep-renewed.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const authority = createClientAuthority(newId('acc'));

test('dueIn() is at two thirds of the life, and up to a twentieth later, each at its own time', () => {
  const life = { createdAt: 0, notAfter: 60 * DAY_MS };
  assert.equal(dueIn(life, '00:00:00:00:01'), 40 * DAY_MS);
  const last = dueIn(life, 'FF:FF:FF:FF:01');
  assert.ok(last > 42.9 * DAY_MS && last < 43 * DAY_MS);
  assert.ok(dueIn(life, '80:00:00:00') > 41 * DAY_MS);
});

test('retryMs() grows, and leaves time for more tries before the end', () => {
  const at = (failures: number, leftMs = 30 * DAY_MS) => retryMs(failures, leftMs, 1);
  assert.deepEqual([at(0), at(1), at(6), at(7), at(99)], [30_000, 60_000, 1_920_000, 3_600_000, 3_600_000]);
  assert.equal(at(9, 80_000), 10_000);
  assert.equal(at(9, 0), 1_000);
  assert.equal(retryMs(1, DAY_MS, 0), 30_000);
});

/** A certificate of which more than two thirds are over, and an hour is left. */
async function dueFiles(t: TestContext): Promise<HeldFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-keep-'));
  t.after(() => rm(folder, { recursive: true }));
  const files = { certificate: join(folder, 'x.cert.pem'), key: join(folder, 'x.key.pem'), chain: null };
  await place(files, Date.now() + HOUR_MS);
  return files;
}

async function place(files: HeldFiles, notAfter: number): Promise<void> {
  const leaf = authority.leaf({ notBefore: Date.now() - 4 * HOUR_MS, notAfter });
  await writeFile(files.certificate, leaf.certificate);
  await writeFile(files.key, leaf.key, { mode: 0o600 });
}

function options(files: HeldFiles, over: Partial<KeepOptions>): KeepOptions {
  return {
    files,
    renew: async () => ({ files, serial: '01', notAfter: '' }),
    onRenewed: async () => undefined,
    onWaiting: () => undefined,
    onFailure: () => undefined,
    now: Date.now,
    sleep: async (ms) => assert.ok(ms <= HOUR_MS),
    signal: new AbortController().signal,
    ...over,
  };
}

test('keepRenewed() renews what is due, tries again after a failure, and waits when it is done', async (t) => {
  const files = await dueFiles(t);
  const stop = new AbortController();
  const happened: string[] = [];
  await keepRenewed(
    options(files, {
      renew: async () => {
        if (happened.length === 0) throw new ServiceError('control_unreachable', 'Cannot reach it');
        await place(files, Date.now() + 30 * DAY_MS);
        return { files, serial: '01', notAfter: '' };
      },
      onFailure: () => void happened.push('failed'),
      onRenewed: async () => void happened.push('renewed'),
      onWaiting: (_files, until) => {
        happened.push(until > Date.now() + 19 * DAY_MS ? 'waiting' : 'waiting for too short');
        stop.abort();
      },
      signal: stop.signal,
    }),
  );
  assert.deepEqual(happened, ['failed', 'renewed', 'waiting']);
});

test('keepRenewed() gives up what no further try can mend', async (t) => {
  const files = await dueFiles(t);
  await assert.rejects(keepRenewed(options(files, failing('certificate_revoked'))), {
    code: 'certificate_revoked',
  });
  const late = options(files, { ...failing('control_unreachable'), now: () => Date.now() + DAY_MS });
  await assert.rejects(keepRenewed(late), { code: 'control_unreachable' });
  await assert.rejects(keepRenewed(options({ ...files, key: files.certificate }, {})), { code: 'usage' });
});

function failing(code: FaultCode): Pick<KeepOptions, 'renew'> {
  return { renew: () => Promise.reject(new ServiceError(code, 'Cannot renew')) };
}
