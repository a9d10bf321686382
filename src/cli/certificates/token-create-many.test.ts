// `doorward cert token create-many`, against a control API with a real store.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { callDoorward, type Ended } from '../../../test/support/doorward.ts';
import { until } from '../../../test/support/until.ts';
import { Secret } from '../../domain/secret.ts';
import { main } from '../main.ts';

let control: TestControl;
let folder: string;
let file: string;
before(async () => {
  control = await startControl();
  folder = await mkdtemp(join(tmpdir(), 'doorward-people-'));
  file = join(folder, 'people.csv');
});
after(async () => {
  await rm(folder, { recursive: true });
  await control[Symbol.asyncDispose]();
});

function createMany(...words: readonly string[]): Promise<Ended> {
  const env = { DOORWARD_URL: control.url.origin, DOORWARD_API_KEY: control.alice.apiKey.reveal() };
  return callDoorward(['cert', 'token', 'create-many', ...words], { env });
}

test('cert token create-many: a link for each person of a file', async () => {
  await writeFile(file, 'email,name,days\nann@many.example,"=1+1",7\nbob@many.example,bob,\n');
  const made = await createMany(file, '--validity', '9d');
  assert.equal(made.code, 0, made.err);
  const [head, ...links] = made.out.split('\r\n');
  assert.equal(head, '"email","name","link","valid until"');
  // In the order in which they were made.
  const [none, ann, bob] = links.toSorted();
  assert.match(ann ?? '', /^"ann@many.example","'=1\+1","http\S+\/redeem#crt_[\w-]{43}","/);
  assert.match(bob ?? '', /^"bob@many.example","bob","http/);
  assert.equal(none, '');
  const { document } = await control.call({ path: '/v1/certificate-request-tokens?state=open' });
  const kept = document['items'] as { emailAddress: string; validity: string }[];
  assert.deepEqual(kept.map(({ emailAddress, validity }) => [emailAddress, validity]).toSorted(), [
    ['ann@many.example', '7d'],
    ['bob@many.example', '9d'],
  ]);
});

test('cert token create-many: what is refused is told of each, and the others are made', async () => {
  await writeFile(file, 'email,name,days\nann@many.example,ann,7\nbob@many.example,bob,\n');
  const refused = await createMany(file, '--validity', '900d');
  assert.equal(refused.code, 1);
  assert.match(refused.out, /"ann@many\.example",.*#crt_/);
  assert.doesNotMatch(refused.out, /bob/);
  assert.match(refused.err, /^error: bob@many\.example: /);
  const json = await createMany(file, '--validity', '900d', '--json');
  assert.equal(json.code, 1);
  const { items } = JSON.parse(json.out) as { items: { link: string | null; error: string | null }[] };
  assert.deepEqual([items[0]?.error, items[1]?.link], [null, null]);
  assert.ok(items[1]?.error);
});

test('cert token create-many makes nothing of a file with wrong lines, and names each', async () => {
  await writeFile(file, 'email,name,days\nann@many.example,ann,0\nnobody,,\n');
  const wrong = await createMany(file);
  assert.deepEqual([wrong.code, wrong.out], [2, '']);
  assert.match(wrong.err, /: 2 lines have errors\n.*Line 2: "0" is not.*Line 3: "nobody" is not/s);
  await writeFile(file, 'nobody\n');
  assert.match((await createMany(file)).err, /: 1 line has an error\n.*Line 1: the column "nobody"/s);
  const absent = await createMany(join(folder, 'none.csv'));
  assert.deepEqual([absent.code, absent.err], [2, `error: Cannot read ${folder}/none.csv: ENOENT\n`]);
});

test('cert token create-many tells each link when it is made: whoever stops it has those that were', async () => {
  await writeFile(file, 'soon@many.example\nlate@many.example\n');
  let out = '';
  const proxy = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    if (body.includes('late@')) await until(() => out.includes('"soon@many.example"'));
    const { status, document } = await control.call({
      path: request.url ?? '',
      json: JSON.parse(body) as object,
    });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const command = ['cert', 'token', 'create-many', file, '--url', `http://127.0.0.1:${port}`];
  const code = await main(command, {
    out: (text) => void (out += text),
    err: () => {},
    env: { HOME: folder, DOORWARD_API_KEY: control.alice.apiKey.reveal() },
    readSecret: async () => new Secret(''),
  });
  proxy.close().closeAllConnections();
  assert.equal(code, 0);
  assert.match(out, /"late@many\.example","late@many\.example","http\S+#crt_/);
});
