// A real proxy in front of an app, from the very files of examples/forward-auth/, but for hosts, addresses,
// certificate and secret.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { eventually } from './serve-process.ts';

export const REAL_PROXIES = ['nginx', 'caddy', 'haproxy', 'traefik', 'envoy'] as const;
export type RealProxy = (typeof REAL_PROXIES)[number];

export type Front = {
  /** Where visitors come, over TLS. */
  readonly port: number;
  readonly gateway: number;
  readonly app: number;
  readonly secret: string;
  readonly pair: { readonly certificate: string; readonly key: string };
  /** Over the text of each file. */
  readonly change?: (text: string) => string;
};

/** The path of a proxy's program, or another's; null where it is not installed. */
export function programOf(program: string): string | null {
  const folders = ['/usr/sbin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
}

/** Starts it; answers how to stop it, once it accepts. */
export async function startAskingProxy(proxy: RealProxy, front: Front): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), `doorward-${proxy}-`));
  writeFileSync(join(folder, 'share.pem'), `${front.pair.certificate}\n${front.pair.key}`);
  writeFileSync(join(folder, 'share.key'), front.pair.key);
  const example = (file: string) =>
    filledIn(readFileSync(join(EXAMPLES, proxy, file), 'utf8'), front, folder);
  const words = PREPARED[proxy]({ folder, front, example });
  const child = spawn(programOf(proxy) ?? proxy, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-8_000)));
  const stop = async () => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually(`${proxy} accepts`, () => {
      if (child.exitCode !== null) throw new Error(`Cannot start ${proxy}: ${said}`);
      return proxy === 'traefik' ? leads(front.port, folder) : accepts(front.port);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

function filledIn(
  text: string,
  { port, gateway, app, secret, change = (same) => same }: Front,
  folder: string,
) {
  return change(
    text
      .replaceAll('/etc/ssl/', `${folder}/`)
      .replaceAll('/etc/haproxy/', `${folder}/`)
      .replaceAll('/etc/traefik/', `${folder}/`)
      .replaceAll('share.example.com:443', `share.localhost:${port}`)
      .replaceAll('share.example.com', 'share.localhost')
      .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
      .replaceAll('bind :443', `bind 127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway}`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${app}`)
      .replaceAll('REPLACE_WITH_THE_SECRET', secret),
  );
}

type Layout = {
  readonly folder: string;
  readonly front: Front;
  readonly example: (file: string) => string;
};

/** Writes its files; answers the words of its command. */
const PREPARED: Readonly<Record<RealProxy, (layout: Layout) => readonly string[]>> = {
  nginx: ({ folder, example }) => {
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr warn;
events {}
http { access_log off; ${paths.join(' ')}
${example('app.conf')}
}
`,
    );
    return ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  },
  caddy: ({ folder, example }) => {
    const file = join(folder, 'Caddyfile');
    const own = '{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n';
    writeFileSync(file, own + example('Caddyfile'));
    return ['run', '--config', file, '--adapter', 'caddyfile'];
  },
  haproxy: ({ folder, example }) => {
    writeFileSync(join(folder, 'doorward.lua'), example('doorward.lua'));
    writeFileSync(join(folder, 'haproxy.cfg'), example('haproxy.cfg'));
    return ['-db', '-f', join(folder, 'haproxy.cfg')];
  },
  traefik: ({ folder, front, example }) => {
    writeFileSync(join(folder, 'dynamic.yaml'), example('dynamic.yaml'));
    const file = join(folder, 'traefik.yaml');
    writeFileSync(file, example('traefik.yaml').replace("':443'", `'127.0.0.1:${front.port}'`));
    return [`--configFile=${file}`];
  },
  envoy: ({ folder, front, example }) => {
    const file = join(folder, 'envoy.yaml');
    const text = example('envoy.yaml')
      .replaceAll('port_value: 443', `port_value: ${front.port}`)
      .replaceAll('port_value: 8080', `port_value: ${front.gateway}`)
      .replaceAll('port_value: 3000', `port_value: ${front.app}`);
    writeFileSync(file, text);
    return ['-c', file, '--log-level', 'warning', '--use-dynamic-base-id'];
  },
};

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('connect', () => {
    socket.destroy();
    resolve(true);
  });
  socket.on('error', () => resolve(false));
  return promise;
}

/** Traefik accepts before it has read where to. Then the endpoint is nobody's to ask through it. */
function leads(port: number, folder: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const [, servername = ''] =
    /Host\(`([^`]+)`\)/.exec(readFileSync(join(folder, 'dynamic.yaml'), 'utf8')) ?? [];
  const asked = get({
    host: '127.0.0.1',
    port,
    path: '/.svc/authorize',
    servername,
    headers: { host: servername },
    agent: false,
    rejectUnauthorized: false,
  });
  asked.on('response', (answer) => resolve(answer.resume().statusCode === 403));
  asked.on('error', () => resolve(false));
  return promise;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

const EXAMPLES = join(import.meta.dirname, '../../examples/forward-auth');
