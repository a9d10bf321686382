// The single checks of `doorward doctor`, each seen to pass and to fail. The whole is in
// test/e2e/doctor.test.ts.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTestAuthority, type TestAuthority } from '../../../test/support/certificates.ts';
import { listenPort } from '../../../test/support/listen-port.ts';
import { changed, SOUND, soundOf } from '../../../test/support/sound-config.ts';
import { stringify } from 'yaml';
import type { Config } from '../../config/config.ts';
import type { Check } from '../../domain/check.ts';
import { Secret } from '../../domain/secret.ts';
import { newMasterKeyText } from '../../store/sealing/master-key.ts';
import { cookieChecks } from './cookie-checks.ts';
import { dnsChecks } from './dns-checks.ts';
import { askHost, forwardAuthChecks } from './forward-auth-checks.ts';
import { keyChecks } from './key-checks.ts';
import { portChecks } from './port-checks.ts';
import { tlsChecks } from './tls-checks.ts';

const NAMES = ['*.share.example.com', 'control.example.com'];
const DAY_MS = 86_400_000;
let folder = '';
let authority: TestAuthority;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doorward-doctor-'));
  authority = createTestAuthority();
});
after(async () => {
  authority.dispose();
  await rm(folder, { recursive: true, force: true });
});

function find(checks: readonly Check[], name: string): Check {
  const check = checks.find((each) => each.name === name);
  assert.ok(check, `no check ${name} among ${checks.map((each) => each.name).join(', ')}`);
  return check;
}

function states(checks: readonly Check[]): Readonly<Record<string, string>> {
  return Object.fromEntries(checks.map(({ name, state }) => [name, state]));
}

test('dnsChecks() asks for a share that nobody has, the OAuth frontend and the control API', async () => {
  const known = new Map([
    ['probe.share.example.com', ['192.0.2.1', '2001:db8::1']],
    ['auth.share.example.com', ['192.0.2.1']],
  ]);
  const lookup = async (name: string) => known.get(name) ?? Promise.reject(new Error('ENOTFOUND'));
  const checks = await dnsChecks(soundOf(SOUND), lookup, 'probe');
  assert.deepEqual(states(checks), {
    '*.share.example.com': 'ok',
    tunnels: 'fail',
    'OAuth frontend': 'ok',
    'control API': 'fail',
  });
  assert.match(find(checks, '*.share.example.com').found, /192\.0\.2\.1, 2001:db8::1/);
  assert.match(String(find(checks, 'tunnels').next), /record for tunnel\.share\.example\.com/);
  known.set('tunnel.share.example.com', ['192.0.2.1']);
  known.delete('probe.share.example.com');
  const without = await dnsChecks(soundOf(SOUND), lookup, 'probe');
  assert.equal(find(without, 'tunnels').state, 'ok');
  assert.match(String(find(without, '*.share.example.com').next), /record \*\.share\.example\.com/);
});

function listener(host: string, port: number) {
  return { bindAddress: { host, port }, tls: false };
}

async function withPair(names: readonly string[]): Promise<Config> {
  const pair = authority.issue(names);
  const tls = { certificateFile: join(folder, 'server.pem'), keyFile: join(folder, 'server.key') };
  await writeFile(tls.certificateFile, pair.certificate);
  await writeFile(tls.keyFile, pair.key, { mode: 0o600 });
  await chmod(tls.keyFile, 0o600);
  const sound = soundOf(SOUND);
  const { gateway, control } = sound;
  return { ...sound, tls: [tls], gateway: { ...gateway, tls: true }, control: { ...control, tls: true } };
}

test('tlsChecks() wants a certificate for the wildcard, the OAuth host and the control host', async () => {
  const covered = await tlsChecks(await withPair(NAMES), Date.now(), []);
  assert.deepEqual(states(covered), {
    certificate: 'ok',
    'key file': 'ok',
    // It lives for two days, and its authority is nobody's.
    dates: 'warn',
    chain: 'warn',
    shares: 'ok',
    tunnels: 'ok',
    'OAuth frontend': 'ok',
    'control API': 'ok',
  });
  const others = await tlsChecks(await withPair(['auth.share.example.com']), Date.now(), []);
  assert.deepEqual(
    ['shares', 'tunnels', 'OAuth frontend', 'control API'].map((name) => find(others, name).state),
    ['fail', 'fail', 'ok', 'fail'],
  );
  assert.match(find(others, 'shares').found, /covers \*\.share\.example\.com$/);
});

test('tlsChecks() and dnsChecks() look at the host that the tunnel section names (DESIGN 2.1)', async () => {
  const config = await withPair(NAMES);
  const tunnel = { ...listener('0.0.0.0', 8383), publicUrl: new URL('https://agents.example.com:8383') };
  const of = async (tls: boolean) =>
    find(await tlsChecks({ ...config, tunnel: { ...tunnel, tls } }, Date.now(), []), 'tunnels');
  assert.match((await of(true)).found, /^no certificate covers agents\.example\.com$/);
  assert.match((await of(false)).found, /in front of this service/);
  const known = new Map([['agents.example.com', ['192.0.2.1']]]);
  const lookup = async (name: string) => known.get(name) ?? [];
  assert.equal(find(await dnsChecks({ ...config, tunnel }, lookup, 'probe'), 'tunnels').state, 'ok');
});

test('tlsChecks() wants a certificate for each host of their own that shares have (issue: TLS)', async () => {
  const config = await withPair([...NAMES, '*.corp.example']);
  const of = async (hosts: readonly string[]) =>
    (await tlsChecks(config, Date.now(), hosts)).find(({ name }) => name === 'custom hosts');
  assert.equal(await of([]), undefined);
  assert.equal((await of(['app.corp.example', 'wiki.corp.example']))?.state, 'ok');
  const bare = await of([
    'app.corp.example',
    ...'abcdefg'.split('').map((name) => `${name}.elsewhere.example`),
  ]);
  assert.equal(bare?.state, 'fail');
  assert.match(bare?.found ?? '', /covers a\.elsewhere\.example, .*, e\.elsewhere\.example and 2 more$/);
  const elsewhere = { ...config, gateway: { ...config.gateway, tls: false } };
  const check = find(await tlsChecks(elsewhere, Date.now(), ['x.example']), 'custom hosts');
  assert.match(check.found, /^1 host; TLS ends in front/);
});

test('tlsChecks() holds a certificate against the clock', async () => {
  const config = await withPair(NAMES);
  const at = async (days: number) =>
    find(await tlsChecks(config, Date.now() + days * DAY_MS, []), 'dates').state;
  assert.deepEqual([await at(-2), await at(0), await at(3)], ['fail', 'warn', 'fail']);
});

test('tlsChecks() tells another’s key, a key for everybody, certificates out of order, and no file at all', async () => {
  const config = await withPair(NAMES);
  const [files] = config.tls;
  assert.ok(files);
  await chmod(files.keyFile, 0o644);
  assert.equal(find(await tlsChecks(config, Date.now(), []), 'key file').state, 'fail');
  const [one, two] = [authority.issue(NAMES), authority.issue(NAMES)];
  await writeFile(files.certificateFile, one.certificate + two.certificate);
  await writeFile(files.keyFile, one.key);
  assert.equal(find(await tlsChecks(config, Date.now(), []), 'chain').state, 'fail');
  await writeFile(files.certificateFile, one.certificate + authority.ca);
  assert.equal(find(await tlsChecks(config, Date.now(), []), 'chain').state, 'warn');
  await writeFile(files.keyFile, two.key);
  const checks = await tlsChecks(config, Date.now(), []);
  assert.match(find(checks, 'certificate').found, /the key belongs to another certificate/);
  assert.equal(find(checks, 'shares').state, 'fail');
  await rm(files.certificateFile);
  assert.match(find(await tlsChecks(config, Date.now(), []), 'certificate').found, /ENOENT/);
});

test('tlsChecks() says where TLS ends elsewhere, and warns of plain http that others can read', async () => {
  assert.match(
    find(await tlsChecks(soundOf(SOUND), Date.now(), []), 'shares').found,
    /in front of this service/,
  );
  const plain = changed(
    changed(SOUND, 'control.public_url', 'http://control.example.com'),
    'allow_plain_http',
    true,
  );
  assert.equal(find(await tlsChecks(soundOf(plain), Date.now(), []), 'control API').state, 'warn');
});

test('cookieChecks() warns of a control host that gets the cookie, and of a domain that is too wide (DESIGN 2.1)', () => {
  const logout = changed(SOUND, 'oauth.logout_redirect_hosts', ['*.share.example.com']);
  assert.deepEqual(states(cookieChecks(soundOf(logout))), {
    'cookie domain': 'ok',
    'control host': 'ok',
    'logout redirects': 'ok',
  });
  const wide = cookieChecks(soundOf(changed(SOUND, 'oauth.cookie_domain', 'example.com')));
  assert.deepEqual(states(wide), {
    'cookie domain': 'warn',
    'control host': 'warn',
    'logout redirects': 'warn',
  });
  assert.match(String(find(wide, 'cookie domain').next), /cookie_domain: share\.example\.com/);
});

function controlHostAt(url: string): Check {
  return find(cookieChecks(soundOf(changed(SOUND, 'control.public_url', url))), 'control host');
}

test('cookieChecks() warns of a control host among the shares, and says where it belongs (DESIGN 2.1)', () => {
  for (const host of ['control.share.example.com', 'a.b.share.example.com']) {
    const { state, found, next } = controlHostAt(`https://${host}`);
    assert.equal(state, 'warn', host);
    assert.match(found, /is below share\.example\.com: the console is same-site with the shares/);
    assert.match(String(next), /^Give control\.public_url a host outside of share\.example\.com/);
  }
  const itself = controlHostAt('https://share.example.com');
  assert.equal(itself.state, 'warn');
  assert.match(itself.found, /^share\.example\.com is share\.example\.com itself/);
  for (const host of [
    'control.example.com',
    'notshare.example.com',
    'example.com',
    'share.example.com.corp.net',
  ])
    assert.equal(controlHostAt(`https://${host}`).state, 'ok', host);
});

test('keyChecks() tells secrets that others can read, and a master key in the data folder (DESIGN "Keys")', async () => {
  const file = join(folder, 'doorward.yaml');
  const master = join(folder, 'master.key');
  await writeFile(file, stringify(SOUND), { mode: 0o600 });
  await writeFile(master, newMasterKeyText(), { mode: 0o600 });
  const sound = soundOf(SOUND);
  const engine = { kind: 'sqlite', file: join(folder, 'data', 'doorward.db') } as const;
  const config = { ...sound, file, store: { ...sound.store, engine, masterKeyFile: master } };
  const stateOf = async (name: string, of: Config = config) => find(await keyChecks(of), name).state;
  assert.ok((await keyChecks(config)).every(({ state }) => state === 'ok'));
  await chmod(file, 0o640);
  assert.equal(await stateOf('configuration'), 'warn');
  await chmod(file, 0o644);
  assert.equal(await stateOf('configuration'), 'fail');
  await chmod(master, 0o644);
  assert.equal(await stateOf('master key'), 'fail');
  await mkdir(join(folder, 'data'), { recursive: true });
  const inside = { ...config, store: { ...config.store, masterKeyFile: join(folder, 'data', 'master.key') } };
  assert.equal(await stateOf('master key place', inside), 'fail');
  // With every secret in a file of its own, those files count instead.
  const { oauth } = SOUND as unknown as { readonly oauth: object };
  const inFiles = {
    oauth: { ...oauth, signing_key: undefined, encryption_key: undefined, providers: [] },
  };
  await writeFile(join(folder, 'signing'), 'x', { mode: 0o644 });
  await chmod(join(folder, 'signing'), 0o644);
  await writeFile(file, stringify({ oauth: { ...inFiles.oauth, signing_key_file: 'signing' } }));
  assert.deepEqual([await stateOf('configuration'), await stateOf('secret file')], ['ok', 'fail']);
});

test('portChecks() tells free ports, ports of others, and addresses that this machine has not', async () => {
  const other = createServer((_request, response) => response.end('{"code":"something"}'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    const taken = (other.address() as AddressInfo).port;
    const sound = soundOf(SOUND);
    const [free, agents] = [await listenPort(), await listenPort()];
    const config: Config = {
      ...sound,
      gateway: { ...sound.gateway, ...listener('127.0.0.1', taken) },
      oauth: { ...sound.oauth, ...listener('127.0.0.1', free) },
      control: { ...sound.control, ...listener('127.0.0.1', free) },
      tunnel: { ...listener('127.0.0.1', agents), publicUrl: new URL('https://tunnel.example.com') },
      metrics: { ...listener('192.0.2.77', 9464), shares: { kind: 'none' } },
    };
    const checks = await portChecks(config);
    assert.deepEqual(states(checks), {
      gateway: 'fail',
      tunnel: 'ok',
      oauth: 'ok',
      control: 'ok',
      metrics: 'fail',
    });
    assert.match(find(checks, 'gateway').found, /taken by another program/);
    assert.match(find(checks, 'metrics').found, /does not have this address/);
  } finally {
    other.close();
    other.closeAllConnections();
  }
});

test('forwardAuthChecks() looks for the secret, the trusted proxies, and whether the hosts lead here', async () => {
  const host = 'app.share.example.com';
  const script = { status: 200, type: 'text/javascript; charset=utf-8' };
  const asked: string[] = [];
  const answering = (answer: typeof script | null) => async (url: string) => {
    asked.push(url);
    return answer;
  };
  const sound = soundOf(SOUND);
  assert.deepEqual(await forwardAuthChecks(sound, [], answering(script)), []);
  const bare = { ...sound, forwardAuth: null, gateway: { ...sound.gateway, trustedProxies: [] } };
  const without = await forwardAuthChecks(bare, [host], answering(null));
  assert.deepEqual(states(without), { secret: 'fail', 'trusted proxies': 'warn', host: 'warn' });
  const told = {
    ...sound,
    forwardAuth: { secret: new Secret('s'.repeat(32)), clientCertificates: false },
    gateway: { ...sound.gateway, trustedProxies: ['10.0.0.1'] },
  };
  const well = await forwardAuthChecks(told, [host], answering(script));
  assert.deepEqual(states(well), { secret: 'ok', 'trusted proxies': 'ok', host: 'ok' });
  assert.match(asked.at(-1) ?? '', /^https:\/\/app\.share\.example\.com(?::\d+)?\/\.svc\/session\.js$/);
  for (const answer of [
    { status: 302, type: 'text/html' },
    { status: 200, type: 'text/html' },
    { status: 404, type: 'text/plain' },
  ])
    assert.equal(find(await forwardAuthChecks(told, [host], answering(answer)), 'host').state, 'fail');
  const many = Array.from({ length: 20 }, (_, index) => `app-${index}.share.example.com`);
  assert.equal((await forwardAuthChecks(told, many, answering(script))).length, 2 + 5);
});

test('askHost() answers null where nothing answers, and follows no redirect', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(302, { location: '/elsewhere', 'content-type': 'text/plain' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  assert.deepEqual(await askHost(url), { status: 302, type: 'text/plain' });
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  assert.equal(await askHost(url), null);
});
