// `openssl s_client`: a TLS client of other people's making, which keeps a session and uses it again wherever
// it is told to.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { ClientPair } from './client-authority.ts';

export type SClientCall = {
  readonly version: '-tls1_2' | '-tls1_3';
  /** Null for none. */
  readonly servername: string | null;
  readonly host: string;
  readonly pair?: Pick<ClientPair, 'certificate' | 'key'>;
  /** Names of sessions: kept by one call, used by others. */
  readonly keepAs?: string;
  readonly use?: string;
};

export type SClientAnswer = {
  /** Null when no answer came. */
  readonly status: number | null;
  /** Of a problem document. */
  readonly code: string | null;
  readonly reused: boolean;
};

export type SClient = (call: SClientCall) => Promise<SClientAnswer>;

/** Makes one HTTP/1.1 request a call to a port of loopback. */
export function createSClient(t: TestContext, port: number): SClient {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-s-client-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return async ({ version, servername, host, pair, keepAs, use }) => {
    const args = ['s_client', '-connect', `127.0.0.1:${port}`, version, '-ign_eof'];
    args.push(...(servername === null ? ['-noservername'] : ['-servername', servername]));
    if (pair !== undefined) {
      const file = join(folder, `pair-${++count}.pem`);
      writeFileSync(file, pair.key + pair.certificate);
      args.push('-cert', file, '-key', file, '-cert_chain', file);
    }
    if (keepAs !== undefined) args.push('-sess_out', join(folder, keepAs));
    if (use !== undefined) args.push('-sess_in', join(folder, use));
    const child = spawn('openssl', args, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => {});
    child.stdin.write(
      `GET / HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\nConnection: close\r\n\r\n`,
    );
    const said = await text(child.stdout);
    child.stdin.destroy();
    // What it says itself waits in a buffer of its own, so the answer may begin anywhere in it.
    const status = /HTTP\/1\.1 (\d{3}) /.exec(said)?.[1];
    return {
      status: status === undefined ? null : Number(status),
      code: /"code":"([a-z_]+)"/.exec(said)?.[1] ?? null,
      reused: /^Reused, TLS/m.test(said),
    };
  };
}
