import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCertificate } from '../../test/support/certificate.ts';
import { readTlsFiles } from './tls-files.ts';

test('readTlsFiles() refuses a pair that does not fit, no PEM, and a chain that is cut off (2.1)', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-tls-'));
  t.after(() => rm(folder, { recursive: true }));
  const files = [{ certificateFile: join(folder, 'chain.pem'), keyFile: join(folder, 'key.pem') }];
  const [own, other] = [makeCertificate(['a.test']), makeCertificate(['b.test'])];
  const read = async (certificate: string, key: string) => {
    await writeFile(join(folder, 'chain.pem'), certificate);
    await writeFile(join(folder, 'key.pem'), key);
    return readTlsFiles(files);
  };
  const chain = own.certificate + other.certificate;
  assert.deepEqual(await read(chain, own.key), [{ certificate: chain, key: own.key }]);
  await assert.rejects(read(own.certificate, other.key), {
    code: 'config_invalid',
    message: /another certificate/,
  });
  await assert.rejects(read('hello', own.key), { code: 'config_invalid', message: /not PEM/ });
  const cut = own.certificate + other.certificate.slice(0, 200);
  await assert.rejects(read(cut, own.key), { code: 'config_invalid', message: /chain cannot be read/ });
});
