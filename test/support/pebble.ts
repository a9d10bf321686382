// Pebble, the test server of Let's Encrypt, with its challenge test server for DNS; both as the machine has
// them. It refuses some nonces on purpose.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { DnsRecords } from '../../src/acme/dns/dns-records.ts';
import { createTestAuthority } from './certificates.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Why not, for `skip`; false when both are there. */
export const NO_PEBBLE: string | false = ['pebble', 'pebble-challtestsrv'].every(
  (name) => spawnSync(name, ['-help']).error === undefined,
)
  ? false
  : 'pebble and pebble-challtestsrv (Debian: pebble) are not on the PATH';

export type Pebble = {
  readonly directory: string;
  /** PEM: who vouches for its own address. */
  readonly ca: string;
  /** Where it looks for challenges. */
  readonly ports: { readonly httpPort: number; readonly tlsPort: number };
  readonly records: DnsRecords;
  /** Where records are changed: the challenge test server's address. */
  readonly management: string;
  /** PEM: who vouches for what it issues. */
  readonly root: () => Promise<string>;
};

/** `externalKeys`: keys by their identifiers, base64url; accounts then need one. */
export async function startPebble(
  t: TestContext,
  externalKeys: Readonly<Record<string, string>> | null = null,
): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'pebble-'));
  const authority = createTestAuthority();
  const pair = authority.issue(['localhost']);
  await writeFile(join(folder, 'cert.pem'), pair.certificate);
  await writeFile(join(folder, 'key.pem'), pair.key);
  const [port, managementPort, httpPort, tlsPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const [dnsPort, dnsManagementPort] = [await freePort(), await freePort()];
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: 'cert.pem',
    privateKey: 'key.pem',
    httpPort,
    tlsPort,
    ocspResponderURL: '',
    externalAccountBindingRequired: externalKeys !== null,
    externalAccountMACKeys: externalKeys ?? {},
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify({ pebble }));
  const dns = `127.0.0.1:${dnsPort}`;
  const management = `http://127.0.0.1:${dnsManagementPort}`;
  const none = ['http01', 'https01', 'tlsalpn01', 'doh'].flatMap((each) => [`-${each}`, '']);
  run(t, 'pebble-challtestsrv', {
    folder,
    words: ['-defaultIPv6', '', '-dnsserver', dns, '-management', `127.0.0.1:${dnsManagementPort}`, ...none],
  });
  run(t, 'pebble', { folder, words: ['-config', 'config.json', '-dnsserver', dns] });
  t.after(async () => {
    authority.dispose();
    await rm(folder, { recursive: true, force: true });
  });
  const directory = `https://localhost:${port}/dir`;
  const fetchText = async (url: string) => {
    const [response] = (await once(get(url, { ca: authority.ca, agent: false }), 'response')) as [
      IncomingMessage,
    ];
    return text(response);
  };
  await until(() =>
    fetchText(directory).then(
      () => true,
      () => false,
    ),
  );
  const tell = async (path: string, body: object) => {
    const response = await fetch(`${management}/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  };
  return {
    directory,
    ca: authority.ca,
    ports: { httpPort, tlsPort },
    management,
    records: {
      add: ({ name, value }) => tell('set-txt', { host: `${name}.`, value }),
      remove: ({ name }) => tell('clear-txt', { host: `${name}.` }),
    },
    root: () => fetchText(`https://localhost:${managementPort}/roots/0`),
  };
}

function run(
  t: TestContext,
  program: string,
  { folder, words }: { readonly folder: string; readonly words: readonly string[] },
): void {
  const child = spawn(program, words, {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '30' },
  });
  t.after(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
}
