// deploy/compose as docs/how-to/deploy.md sets it up, with a domain and a provider of the test: each gateway
// is a container of the image, started as compose.yaml says. Where the other images cannot be had, nginx is
// this machine's, with the very configuration file, and PostgreSQL the tests'. Each service has a network
// namespace of its own, with the addresses that compose.yaml gives.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createTestAuthority } from './certificates.ts';
import { ROOT } from './deployed.ts';
import { FRONT_DOOR } from './front-door.ts';
import { listenPort } from './listen-port.ts';
import { layOutNetworks, type NetworkPlan, type Networks } from './network-namespaces.ts';
import type { Podman } from './podman.ts';
import { startOwnPostgres } from './postgres.ts';
import { startRelay } from './relay.ts';

export type ComposeStack = {
  /** What visitors reach nginx at, from this process: `https://demo.share.localhost:12345`. */
  readonly urlOf: (name: string) => string;
  /** Who vouches for nginx's certificate (PEM). */
  readonly ca: string;
  readonly close: () => Promise<void>;
};

export type ComposeOptions = {
  readonly podman: Podman;
  /** Empty; reachable by every user. */
  readonly folder: string;
  /** Where this process runs the provider. */
  readonly issuer: string;
  readonly clientSecret: string;
  /** A server of this process that shares may reach. */
  readonly backendPort: number;
  /** Told before anything asks the provider: the address that a login comes back to. */
  readonly onCallback: (url: string) => void;
};

/** Resolves once both gateways are healthy and nginx listens. */
export async function startCompose(options: ComposeOptions): Promise<ComposeStack> {
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await start(options, undo)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(options: ComposeOptions, undo: (() => unknown)[]): Promise<Omit<ComposeStack, 'close'>> {
  const { podman, issuer, backendPort } = options;
  const compose = join(options.folder, 'compose');
  cpSync(join(ROOT, 'deploy/compose'), compose, { recursive: true });
  const port = await listenPort();
  const urlOf = (name: string): string => `https://${name}.${DOMAIN}:${port}`;
  options.onCallback(`${urlOf('auth')}/sso/auth/callback`);
  const postgres = await startOwnPostgres();
  undo.push(() => postgres[Symbol.asyncDispose]());
  const ofPostgres = new URL((await postgres.place()).reveal());
  const postgresPort = Number(ofPostgres.port);
  const authority = createTestAuthority();
  undo.push(authority.dispose);
  layOutFiles(compose, { ...options, port, postgresUrl: guidedUrl(ofPostgres), authority });

  const { services } = parse(readFileSync(join(compose, 'compose.yaml'), 'utf8')) as ComposeFile;
  const plan = planOf(services);
  const networks = layOutNetworks(plan);
  undo.push(networks.close);
  const outside = [Number(new URL(issuer).port), backendPort];
  const sockets = join(options.folder, 'sockets');
  mkdirSync(sockets);
  const relay = async (relays: Parameters<typeof startRelay>[0]) =>
    undo.push((await startRelay(relays)).close);
  for (const at of [postgresPort, ...outside])
    await relay({ from: { path: join(sockets, `${at}`) }, to: { host: '127.0.0.1', port: at } });
  await networks.relay('postgres', [
    { from: { host: '0.0.0.0', port: 5432 }, to: { path: join(sockets, `${postgresPort}`) } },
  ]);
  const relays = outside.map((at) => ({
    from: { host: '127.0.0.1', port: at },
    to: { path: join(sockets, `${at}`) },
  }));
  for (const name of gatewaysIn(services)) {
    await networks.relay(name, relays);
    const words = wordsOf(services[name]!, compose);
    const names = neighbors(plan, name).flatMap(([host, address]) => ['--add-host', `${host}:${address}`]);
    const { image } = services[name]!;
    await podman.run([
      'run',
      '-d',
      '--name',
      name,
      '--network',
      `ns:${networks.pathOf(name)}`,
      ...names,
      ...words,
      image,
    ]);
  }
  for (const name of gatewaysIn(services)) await healthy(podman, name);
  const front = join(sockets, 'nginx');
  await networks.relay('nginx', [{ from: { path: front }, to: { host: '127.0.0.1', port: 443 } }]);
  undo.push(
    await startNginx(networks, { compose, service: services['nginx']!, hosts: neighbors(plan, 'nginx') }),
  );
  await relay({ from: { host: '127.0.0.1', port }, to: { path: front } });
  return { urlOf, ca: authority.ca };
}

type Service = Readonly<Record<string, unknown>> & {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly volumes?: readonly string[];
};
type ComposeFile = { readonly services: Readonly<Record<string, Service>> };

/** The guide's, with what the tests' server calls user, password and database. */
function guidedUrl({ username, password, pathname }: URL): string {
  const guide = readFileSync(join(ROOT, 'docs/how-to/deploy.md'), 'utf8');
  const [url] = /postgres:\/\/doorward:PASSWORD@postgres:5432\/[^`]*/.exec(guide) ?? [];
  assert.ok(url !== undefined, 'docs/how-to/deploy.md says no postgres.url for compose');
  return Object.assign(new URL(url), { username, password, pathname }).href;
}

/** What docs/how-to/deploy.md has its readers do. */
function layOutFiles(
  compose: string,
  plan: ComposeOptions & {
    readonly port: number;
    readonly postgresUrl: string;
    readonly authority: ReturnType<typeof createTestAuthority>;
  },
): void {
  for (const name of ['doorward.yaml', 'nginx.conf']) {
    const file = join(compose, name);
    const text = readFileSync(file, 'utf8')
      .replaceAll(/(https:\/\/\S*)share\.example\.com/g, `$1${DOMAIN}:${plan.port}`)
      .replaceAll('share.example.com', DOMAIN)
      .replace('https://id.example.com', plan.issuer)
      // What shares may reach at private addresses is the operator's to say.
      .replace('gateway:\n', `gateway:\n  direct_targets: ['127.0.0.1:${plan.backendPort}']\n`);
    writeFileSync(file, text);
  }
  const keys = join(plan.folder, 'keys');
  const init = ['init', '--dir', keys, '--public-url', `https://*.${DOMAIN}`];
  execFileSync(process.execPath, [FRONT_DOOR, ...init], { stdio: 'pipe' });
  const { oauth } = parse(readFileSync(join(keys, 'doorward.yaml'), 'utf8')) as {
    readonly oauth: Readonly<Record<'signing_key' | 'encryption_key', string>>;
  };
  const pair = plan.authority.issue([`*.${DOMAIN}`]);
  const files = {
    'secrets/signing.key': oauth.signing_key,
    'secrets/encryption.key': oauth.encryption_key,
    'secrets/master.key': readFileSync(join(keys, 'master.key'), 'utf8'),
    'secrets/postgres.url': plan.postgresUrl,
    'secrets/sso.secret': plan.clientSecret,
    'tls/fullchain.pem': pair.certificate,
    'tls/privkey.pem': pair.key,
  };
  for (const folder of ['secrets', 'tls']) mkdirSync(join(compose, folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(compose, name), text);
  execFileSync('sh', ['-ec', 'chown -R 65532 secrets && chmod -R go= secrets'], { cwd: compose });
}

function gatewaysIn(services: ComposeFile['services']): readonly string[] {
  return Object.keys(services).filter((name) => name.startsWith('gateway-'));
}

/** An address in each network: the one that the file gives, or the next. */
function planOf(services: ComposeFile['services']): NetworkPlan {
  const started = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
  return Object.fromEntries(
    started.map(([name, service], index) => {
      const given = Array.isArray(service.networks)
        ? Object.fromEntries((service.networks as readonly string[]).map((each) => [each, null]))
        : (service.networks as Readonly<Record<string, { readonly ipv4_address: string }>>);
      const addresses = Object.entries(given).map(([network, own]) => {
        const subnet = SUBNETS[network];
        assert.ok(subnet !== undefined, `compose.yaml has a network that the test does not know: ${network}`);
        return [network, own?.ipv4_address ?? `${subnet}.${index + 10}`];
      });
      return [name, Object.fromEntries(addresses) as Readonly<Record<string, string>>];
    }),
  );
}

/** Whom a host knows by name: at the address in the network that both are in. */
function neighbors(plan: NetworkPlan, name: string): readonly (readonly [string, string])[] {
  const own = Object.keys(plan[name] ?? {});
  return Object.entries(plan).flatMap(([host, addresses]) => {
    const shared = own.find((network) => network in addresses);
    return shared === undefined ? [] : [[host, addresses[shared]!] as const];
  });
}

/** Podman's words for a service. Fails for a key that nothing here knows. */
function wordsOf(service: Service, compose: string): readonly string[] {
  return Object.entries(service).flatMap(([key, value]) => {
    const word = WORDS[key];
    assert.ok(word !== undefined, `compose.yaml has a key that the test does not know: ${key}`);
    return word(value, compose);
  });
}

const list = (option: string) => (value: unknown) =>
  (value as readonly string[]).flatMap((each) => [option, each]);
const elsewhere = () => [];
const WORDS: Readonly<Record<string, (value: unknown, compose: string) => readonly string[]>> = {
  image: elsewhere,
  networks: elsewhere,
  depends_on: elsewhere,
  // It does not end in a test.
  restart: elsewhere,
  read_only: (value) => (value === true ? ['--read-only'] : []),
  tmpfs: list('--tmpfs'),
  cap_drop: list('--cap-drop'),
  security_opt: list('--security-opt'),
  stop_grace_period: (value) => ['--stop-timeout', String(value).replace('s', '')],
  volumes: (value, compose) =>
    (value as readonly string[]).flatMap((each) => ['-v', each.replace(/^\.\//, `${compose}/`)]),
  healthcheck: (value) => {
    const { test } = value as { readonly test: readonly string[] };
    const [kind, ...words] = test;
    assert.equal(kind, 'CMD', 'the image has no shell');
    // What asks at an interval is systemd, which is not everywhere; on a busy machine an answer takes longer.
    return ['--health-cmd', JSON.stringify(words), '--health-timeout', '60s', '--health-interval', 'disable'];
  },
};

async function healthy(podman: Podman, name: string): Promise<void> {
  for (const deadline = performance.now() + HEALTHY_MS; ;) {
    try {
      await podman.run(['healthcheck', 'run', name]);
      return;
    } catch (error) {
      const state = await podman.run(['inspect', '--format', '{{.State.Status}}', name]);
      if (state.trim() === 'running' && performance.now() < deadline) continue;
      throw new Error(`${name} is ${state.trim()}: ${await podman.logs(name)}`, { cause: error });
    }
  }
}

async function startNginx(
  networks: Networks,
  plan: {
    readonly compose: string;
    readonly service: Service;
    readonly hosts: readonly (readonly [string, string])[];
  },
): Promise<() => Promise<void>> {
  const { compose, hosts } = plan;
  const own = join(compose, '..', 'nginx');
  for (const name of ['', 'etc', 'log', 'etc/tls']) mkdirSync(join(own, name));
  chmodSync(own, 0o755);
  writeFileSync(join(own, 'hosts'), hosts.map(([name, address]) => `${address} ${name}\n`).join(''));
  writeFileSync(join(own, 'etc/nginx.conf'), '');
  const mounts = (plan.service.volumes ?? []).map((each) => {
    const [from = '', to = ''] = each.split(':');
    return `mount --bind ${join(compose, from)} ${to}`;
  });
  const script = [
    `mount --bind ${own}/hosts /etc/hosts`,
    `mount --bind ${own}/etc /etc/nginx`,
    `mount --bind ${own}/log /var/log/nginx`,
    ...mounts,
    `exec nginx -e stderr -g 'daemon off; pid ${own}/pid;'`,
  ].join('\n');
  const [command, ...words] = networks.within('nginx');
  const child: ChildProcess = spawn(command, [...words, 'sh', '-ec', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit');
  ended.then(([code]) => code === 0 || process.stderr.write(`nginx: ${said}\n`)).catch(() => undefined);
  return async () => {
    child.kill('SIGQUIT');
    await ended;
  };
}

/** A busy machine starts the executable, and makes the tables. */
const HEALTHY_MS = 180_000;
const DOMAIN = 'share.localhost';
/** `front` is the file's own; compose chooses the other. */
const SUBNETS: Readonly<Record<string, string>> = { front: '172.30.0', database: '172.30.1' };
