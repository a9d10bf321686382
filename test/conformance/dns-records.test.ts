// Records of DNS-01 challenges, put and taken back: at a real BIND by RFC 2136 and TSIG, where there is one;
// at a stand-in of Cloudflare's API; by a program.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { cloudflareRecords } from '../../src/acme/dns/cloudflare.ts';
import { hookRecords } from '../../src/acme/dns/hook.ts';
import { signedUpdate, type TsigAlgorithm, updateAnswer } from '../../src/acme/dns/message.ts';
import { rfc2136Records } from '../../src/acme/dns/rfc2136.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createDialler } from '../../src/providers/dialler.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const NAMED = '/usr/sbin/named';
const NO_NAMED = existsSync(NAMED) ? false : `${NAMED} (Debian: bind9) is not installed`;
const SECRET = Buffer.from('a TSIG key for tests, 32 octets!').toString('base64');
const RECORD = { name: '_acme-challenge.share.example.test', value: 'x'.repeat(43) };

for (const algorithm of ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const)
  test(
    `rfc2136Records() puts and takes back a record at BIND, by ${algorithm} (RFC 2136, RFC 8945)`,
    { skip: NO_NAMED },
    async (t) => {
      const port = await startNamed(t, algorithm);
      const key = { name: 'doorward', algorithm, secret: new Secret(SECRET) };
      const server = { host: '127.0.0.1', port, zone: 'example.test', key };
      const records = rfc2136Records(server, Date.now);
      const other = { ...RECORD, value: 'y'.repeat(43) };
      for (const each of [RECORD, RECORD, other]) await records.add(each);
      assert.deepEqual((await lookUp(port)).toSorted(), [RECORD.value, other.value]);
      await records.remove(RECORD);
      await records.remove(RECORD);
      assert.deepEqual(await lookUp(port), [other.value]);
      const wrong = { ...key, secret: new Secret(Buffer.from('another key').toString('base64')) };
      await assert.rejects(rfc2136Records({ ...server, key: wrong }, Date.now).add(RECORD), /NOTAUTH/);
      await assert.rejects(rfc2136Records(server, () => Date.now() - 3_600_000).add(RECORD), /NOTAUTH/);
      await assert.rejects(
        rfc2136Records({ ...server, zone: 'other.test' }, Date.now).add(RECORD),
        /NOTAUTH|NOTZONE/,
      );
      assert.deepEqual(await lookUp(port), [other.value]);
    },
  );

test('updateAnswer() believes no answer that the key did not sign, or that is to another question', () => {
  const key = { name: 'doorward', algorithm: 'hmac-sha256', secret: new Secret(SECRET) } as const;
  const asked = signedUpdate({ zone: 'example.test', change: 'add', record: RECORD, id: 7, at: 1 }, key);
  const plain = Buffer.from('0007a8000000000000000000', 'hex');
  assert.deepEqual(updateAnswer(plain, asked, key), {
    kind: 'refused',
    found: 'an answer that is not signed with the key',
  });
  const echoed = Buffer.from(asked.message);
  assert.equal(updateAnswer(echoed, asked, key).kind, 'refused');
  for (let length = 0; length < echoed.length; length++)
    assert.equal(updateAnswer(echoed.subarray(0, length), asked, key).kind, 'refused');
  const foreign = Buffer.from(plain);
  foreign.writeUInt16BE(8, 0);
  assert.match(JSON.stringify(updateAnswer(foreign, asked, key)), /another question/);
});

test('rfc2136Records() tells of a name server that hangs up', async (t) => {
  const server = createNetServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const key = { name: 'doorward', algorithm: 'hmac-sha256', secret: new Secret(SECRET) } as const;
  const records = rfc2136Records({ host: '127.0.0.1', port, zone: 'example.test', key }, Date.now);
  await assert.rejects(records.add(RECORD), /Cannot ask the name server 127\.0\.0\.1/);
});

test('cloudflareRecords() finds the zone, adds once, and deletes its own record alone', async (t) => {
  const records = new Map([['other', { id: 'other', name: RECORD.name, content: '"kept"' }]]);
  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url = '', headers } = request as IncomingMessage;
      if (headers.authorization !== 'Bearer the-token')
        return answer(response, 403, { success: false, errors: [{ message: 'Invalid token' }] });
      const { pathname, searchParams } = new URL(url, 'http://x');
      if (pathname === '/zones')
        return answer(response, 200, {
          result: searchParams.get('name') === 'example.test' ? [{ id: 'z1' }] : [],
        });
      const id = pathname.split('/')[4];
      if (method === 'GET')
        return answer(response, 200, {
          result: [...records.values()].filter(({ name }) => name === searchParams.get('name')),
        });
      if (method === 'DELETE') return answer(response, 200, { result: { id: records.delete(id ?? '') } });
      const { name, content } = JSON.parse(await text(request)) as { name: string; content: string };
      records.set(`r${records.size}`, { id: `r${records.size}`, name, content });
      return answer(response, 200, { result: {} });
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fault = 'target_refused';
  const { fetch } = createDialler({
    allow: 'operator',
    ownListeners: [],
    refused: fault,
    unreachable: fault,
  });
  const at = (zone: string, token: string) =>
    cloudflareRecords({ zone, apiToken: new Secret(token), apiUrl }, fetch);
  const dns = at('example.test', 'the-token');
  await dns.add(RECORD);
  await dns.add(RECORD);
  assert.deepEqual(
    [...records.values()].map(({ content }) => content),
    ['"kept"', `"${RECORD.value}"`],
  );
  await dns.remove(RECORD);
  await dns.remove(RECORD);
  assert.deepEqual([...records.keys()], ['other']);
  await assert.rejects(at('example.test', 'no').add(RECORD), /Cloudflare: it answered 403 Invalid token/);
  await assert.rejects(at('elsewhere.test', 'the-token').add(RECORD), /Cannot find zone elsewhere\.test/);
});

test('hookRecords() calls the program without a shell, and tells what it said when it fails', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'dns-hook-'));
  t.after(() => rm(folder, { recursive: true }));
  const hook = join(folder, 'hook');
  await writeFile(
    hook,
    `#!/bin/sh\nprintf '%s|' "$@" >> ${folder}/calls\necho "no such zone" >&2\nexit $1\n`,
  );
  await chmod(hook, 0o700);
  const record = { ...RECORD, value: '$(touch /tmp/never) ; x' };
  await hookRecords([hook, '0']).add(record);
  await assert.rejects(hookRecords([hook, '3']).remove(record), /no such zone/);
  assert.equal(
    readFileSync(join(folder, 'calls'), 'utf8'),
    `0|add|${record.name}|${record.value}|3|remove|${record.name}|${record.value}|`,
  );
  await assert.rejects(hookRecords([join(folder, 'none')]).add(RECORD), /ENOENT/);
});

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function startNamed(t: TestContext, algorithm: TsigAlgorithm): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'named-'));
  const port = await freePort();
  const zone =
    '$TTL 60\n@ IN SOA ns.example.test. root.example.test. 1 60 60 60 60\n@ IN NS ns.example.test.\nns IN A 127.0.0.1\n';
  await writeFile(join(folder, 'zone'), zone);
  await writeFile(
    join(folder, 'named.conf'),
    `options { directory "${folder}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no;
      pid-file none; session-keyfile "${folder}/session.key"; dnssec-validation no; };
    controls { };
    key doorward { algorithm ${algorithm}; secret "${SECRET}"; };
    zone "example.test" { type master; file "${folder}/zone"; allow-update { key doorward; }; };\n`,
  );
  const child = spawn(NAMED, ['-g', '-c', join(folder, 'named.conf')], { stdio: 'ignore' });
  t.after(async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  });
  await until(async () => {
    const resolver = new Resolver({ timeout: 1_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${port}`]);
    return resolver.resolve4('ns.example.test').then(
      () => true,
      () => false,
    );
  });
  return port;
}

async function lookUp(port: number): Promise<readonly string[]> {
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${port}`]);
  return (await resolver.resolveTxt(RECORD.name)).map((parts) => parts.join(''));
}
