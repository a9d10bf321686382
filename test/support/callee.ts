// The callees of examples/service-to-service as processes, and calls to them with any certificate.

import assert from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { TestPair } from './certificates.ts';
import { NGINX } from './gateway-fleet.ts';
import { listenPort } from './listen-port.ts';
import { accepting } from './service-process.ts';

export type Callee = {
  readonly url: string;
  /** Brings authorities and lists up to date, where the callee does not do so by itself. */
  readonly refresh: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type CalleeSettings = {
  /** Where it may write. */
  readonly folder: string;
  readonly pkiUrl: string;
  readonly pair: TestPair;
};

/** The one that all callees let in, as their examples say. */
export const CALLER = {
  commonName: 'billing',
  organizationalUnit: 'Services',
  organization: 'Corp',
} as const;
const CALLER_SUBJECT = 'CN=billing,OU=Services,O=Corp';
const EXAMPLES = join(import.meta.dirname, '../../examples/service-to-service');

export function startNodeCallee(settings: CalleeSettings): Promise<Callee> {
  return startProgram([process.execPath, join(EXAMPLES, 'node/callee.mjs')], settings);
}

/** Built once, beside the folder. */
export function startGoCallee(settings: CalleeSettings): Promise<Callee> {
  return startProgram([buildGo('go', dirname(settings.folder))], settings);
}

/** The built program of a folder of the examples. */
export function buildGo(example: 'go' | 'caller-go', folder: string): string {
  const program = join(folder, `built-${example}`);
  if (existsSync(program)) return program;
  execFileSync('go', ['build', '-o', program, '.'], { cwd: join(EXAMPLES, example), stdio: 'pipe' });
  return program;
}

async function startProgram(
  [program = '', ...args]: readonly string[],
  settings: CalleeSettings,
): Promise<Callee> {
  const files = writePair(settings);
  const env = {
    ...process.env,
    PKI_URL: settings.pkiUrl,
    CALLERS: `CN=nobody\n${CALLER_SUBJECT}`,
    TLS_CERTIFICATE: files.certificate,
    TLS_KEY: files.key,
    PORT: '0',
    REFRESH_SECONDS: '1',
  };
  const child: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  assert.ok(child.stdout !== null);
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [unknown];
  const url = /https:\S+/.exec(String(line))?.[0];
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    lines.close();
  };
  if (url === undefined) {
    await stop();
    throw new Error(`the callee did not start: ${String(line)}`);
  }
  return { url, refresh: () => Promise.resolve(), stop };
}

/** As its example has it, in a folder and on a port of the test. */
export async function startNginxCallee(settings: CalleeSettings): Promise<Callee> {
  const folder = join(settings.folder, 'callee');
  mkdirSync(folder);
  writePair({ ...settings, folder });
  const port = await listenPort();
  const [example, refreshing] = ['nginx.conf', 'refresh.sh'].map((name) => join(EXAMPLES, 'nginx', name));
  const conf = readFileSync(example ?? '', 'utf8')
    .replaceAll('/etc/callee/', `${folder}/`)
    .replace('/run/callee/nginx.pid', `${folder}/nginx.pid`)
    .replace('127.0.0.1:3443', `127.0.0.1:${port}`)
    .replace('events {}', `daemon off;${process.getuid?.() === 0 ? ' user root;' : ''}\nevents {}`)
    .replace('http {', `http {\n${temporaryFolders(folder)}`);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, conf);
  const env = { ...process.env, PKI_URL: settings.pkiUrl, FOLDER: folder, PID_FILE: `${folder}/nginx.pid` };
  const refresh = async (): Promise<void> => {
    await promisify(execFile)('sh', [refreshing ?? ''], { env });
  };
  await refresh();
  const child = spawn(NGINX, ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  await accepting(port, { child, logFile: file });
  return { url: `https://127.0.0.1:${port}`, refresh, stop };
}

function temporaryFolders(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
}

function writePair({ folder, pair }: Pick<CalleeSettings, 'folder' | 'pair'>) {
  const files = { certificate: join(folder, 'server.pem'), key: join(folder, 'server.key') };
  writeFileSync(files.certificate, pair.certificate);
  writeFileSync(files.key, pair.key, { mode: 0o600 });
  return files;
}

/** Asks with a certificate or none; status 0 when the connection was refused. `agent` keeps one open. */
export async function callCallee(
  url: string,
  { pair, ca, agent }: { readonly pair: TestPair | null; readonly ca: string; readonly agent?: Agent },
): Promise<{ readonly status: number; readonly body: string }> {
  const request = httpsRequest(url, {
    ca,
    agent: agent ?? false,
    servername: 'localhost',
    ...(pair === null ? {} : { cert: pair.certificate, key: pair.key }),
  });
  request.end();
  try {
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, body: await text(answer) };
  } catch {
    return { status: 0, body: '' };
  }
}

export function keptConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}
