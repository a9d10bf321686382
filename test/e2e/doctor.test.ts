// `doorward doctor` on a service that runs, and on one that is stopped: all is well, and what is not is told.

import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import type { DoctorReport } from '../../src/cli/doctor/report.ts';
import { Secret } from '../../src/domain/secret.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ tls: true });
  // As an operator would have made them.
  for (const name of ['doorward.yaml', 'server.key']) await chmod(join(service.folder, name), 0o600);
});
after(() => service.close());

async function doctor(...words: readonly string[]) {
  let out = '';
  let err = '';
  const code = await main(['doctor', '--config', service.configFile, ...words], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    env: {},
    readSecret: async () => new Secret(''),
  });
  return { code, out, err };
}

async function forwardAuthGroup() {
  const { groups } = JSON.parse((await doctor('--json')).out) as DoctorReport;
  return groups.find(({ name }) => name === 'forward auth');
}

function failures({ groups }: DoctorReport): readonly string[] {
  return groups.flatMap(({ name, checks }) =>
    checks.filter(({ state }) => state === 'fail').map((check) => `${name}: ${check.name}: ${check.found}`),
  );
}

test('doctor finds a running service in order, by its own listeners, store and provider (DESIGN 2.4)', async () => {
  const { code, out, err } = await doctor('--json');
  const report = JSON.parse(out) as DoctorReport;
  assert.deepEqual([code, err, failures(report)], [0, '', []]);
  assert.equal(report.passed, true);
  const listeners = report.groups.find(({ name }) => name === 'listeners')?.checks ?? [];
  assert.deepEqual(
    listeners.map(({ name }) => name),
    ['gateway', 'oauth', 'control', 'metrics'],
  );
  for (const { found } of listeners) assert.match(found, / is in use by this installation$/);
  const store = report.groups.find(({ name }) => name === 'store')?.checks ?? [];
  assert.equal(store.find(({ name }) => name === 'opens')?.state, 'ok');
  assert.deepEqual(report.register, [
    {
      provider: 'corp',
      redirectUrl: `${service.endpointUrl}/corp/auth/callback`,
      backchannelLogoutUrl: `${service.endpointUrl}/corp/backchannel-logout`,
      postLogoutRedirectUrl: null,
    },
  ]);
  assert.ok(!out.includes('a client secret for tests'));
  const { groups } = report;
  const corp = groups.find(({ name }) => name === 'provider corp')?.checks ?? [];
  assert.match(String(corp.find(({ name }) => name === 'login request')?.found), /is registered$/);
});

test('doctor looks at what proxies need, once a share is behind one (DESIGN "Forward-auth")', async () => {
  assert.equal(await forwardAuthGroup(), undefined);
  await service.client.shares.create({ name: 'app', behind: true, oauthProvider: 'corp' });
  const checks = (await forwardAuthGroup())?.checks ?? [];
  // The host leads here, with a certificate that this process does not trust.
  assert.deepEqual(
    checks.map(({ name, state }) => [name, state]),
    [
      ['secret', 'fail'],
      ['trusted proxies', 'warn'],
      ['host', 'warn'],
    ],
  );
  await service.client.shares.modify('app', { enabled: false });
  assert.equal(await forwardAuthGroup(), undefined);
  await service.client.shares.remove('app');
});

test('doctor says in lines for people what fails and what to do, and ends with 1 (DESIGN 2.4)', async () => {
  await chmod(join(service.folder, 'master.key'), 0o644);
  const { code, out, err } = await doctor();
  await chmod(join(service.folder, 'master.key'), 0o600);
  assert.equal(code, 1);
  assert.match(out, /^keys\nok {4}keys {2,}/m);
  assert.match(out, /^fail {2}master key {2,}Cannot read master key .*\n {6}→ /m);
  assert.match(
    out,
    /^Register at the providers:\n {2}corp {2}redirect URL +https:\/\/\S+\/corp\/auth\/callback$/m,
  );
  assert.match(err, /^Not ready to run: \d+ failed, /);
});

test('doctor on a faulty configuration is exit 2, as everywhere (DESIGN 2.4)', async () => {
  const text = await readFile(service.configFile, 'utf8');
  await writeFile(service.configFile, text.replace('"cookie_name"', '"cookie_nam"'));
  const { code, out, err } = await doctor();
  await writeFile(service.configFile, text);
  assert.deepEqual([code, out], [2, '']);
  assert.match(err, /cookie_nam/);
});

test('doctor and config check tell another installation of Doorward from this one, at each listener (DESIGN 2.4)', async () => {
  const text = await readFile(service.configFile, 'utf8');
  // What it is known by; whatever runs was started with the other.
  await writeFile(service.configFile, text.replace('a signing key for tests', 'the key of another place'));
  const { code, out } = await doctor('--json');
  const report = JSON.parse(out) as DoctorReport;
  let said = '';
  const terminal = { out: (more: string) => void (said += more), err: () => undefined };
  const words = ['config', 'check', '--json', '--config', service.configFile];
  const checked = await main(words, { ...terminal, env: {}, readSecret: async () => new Secret('') });
  await writeFile(service.configFile, text);
  assert.equal(code, 1);
  const listeners = report.groups.find(({ name }) => name === 'listeners')?.checks ?? [];
  assert.deepEqual(
    listeners.map(({ name, state }) => `${name} ${state}`),
    ['gateway fail', 'oauth fail', 'control fail', 'metrics fail'],
  );
  for (const { found } of listeners) assert.match(found, / is taken by another installation of Doorward$/);
  const { faults, warnings } = JSON.parse(said) as Record<
    'faults' | 'warnings',
    { path: string; found: string }[]
  >;
  assert.deepEqual([checked, faults], [0, []]);
  assert.deepEqual(
    warnings.filter(({ found }) => found.includes('another installation')).map(({ path }) => path),
    ['gateway.bind_address', 'oauth.bind_address', 'control.bind_address', 'metrics.bind_address'],
  );
});

test('GET /v1/status of a running service tells its version, its start and its workers (DESIGN 2.5)', async () => {
  const { version, startedAt, workers, shares, sessions } = await service.client.status();
  assert.match(version, /^\d+\.\d+\.\d+/);
  const since = Date.parse(startedAt);
  assert.ok(since <= Date.now() && since > Date.now() - 3_600_000, startedAt);
  assert.deepEqual(workers, { running: 1, configured: 1 });
  assert.deepEqual([shares, sessions], [{ total: 0, enabled: 0 }, { active: 0 }]);
});
