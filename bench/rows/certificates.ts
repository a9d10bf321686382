// Client certificates: how many are given out for tokens in a second, beside step-ca; how long a revocation
// list takes, and how long it keeps everything else waiting; how many TLS handshakes the gate makes with them
// and without, beside nginx.

import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { newId } from '../../src/domain/id.ts';
import { createRevocationLists } from '../../src/pki/revocation-list.ts';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import type { TestPair } from '../../test/support/certificates.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr } from '../../test/support/openssl.ts';
import { changeConfig } from '../../test/support/serve-process.ts';
import type { ServiceProcess } from '../../test/support/service-process.ts';
import { cpuMs } from '../process-cost.ts';
import { startDoorward, type Doorward, requestText } from '../proxies/doorward.ts';
import { startPeers } from '../proxies/peers.ts';
import type { Peer } from '../proxies/peer.ts';
import { startStepCa, type StepCa } from '../proxies/step-ca.ts';
import type { Size } from '../size.ts';
import { interleave, measure, median, type Measure } from '../subject.ts';

export type CertificateMeasures = {
  readonly issuing: Readonly<Record<'doorward', readonly Measure[]>> & {
    /** Null where it is not on PATH. */
    readonly stepCa: { readonly version: string; readonly measures: readonly Measure[] } | null;
  };
  readonly list: { readonly buildMs: number; readonly stallMs: number };
  readonly handshakes: Readonly<Record<Shaker, readonly Measure[]>>;
};

type Shaker = 'nginx' | 'doorward' | 'nginxMutual' | 'doorwardMutual';

export async function measureCertificates(size: Size, backendPort: number): Promise<CertificateMeasures> {
  const doorward = await startDoorward({ tls: true, backendPort, visitors: 0, shares: 2, starts: 1 });
  try {
    const handshakes = await measureHandshakes(size, backendPort, doorward);
    await raiseWrites(doorward.service);
    const issuing = await measureIssuing(size, doorward.service);
    await doorward.service.stop();
    const list = await measureList(size, doorward.service);
    return { issuing, list, handshakes };
  } finally {
    await doorward.close();
  }
}

/** All tokens are one account's, which makes more of them in a minute than people would. */
async function raiseWrites(service: ServiceProcess): Promise<void> {
  await service.stop();
  changeConfig(service, (config) => Object.assign(config, { limits: { writes_per_minute: 1_000_000 } }));
  await service.start();
}

async function measureIssuing(size: Size, service: ServiceProcess): Promise<CertificateMeasures['issuing']> {
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  const stepCa = await startStepCa();
  // As with step-ca: the service's own client makes a connection for each call.
  const kept = new Agent({ keepAlive: true });
  const ours = (count: number) => () =>
    measureCalls(service, count, async () => {
      const { token } = await service.client.certificates.createToken({ name: 'bench', commonName: 'bench' });
      return () => redeemOn(kept, service, JSON.stringify({ token, csr }));
    });
  const theirs = (peer: StepCa, count: number) => () =>
    measureCalls(peer, count, async () => {
      const token = await peer.token('somebody');
      return () => peer.sign(token, csr);
    });
  try {
    const takes = (count: number): Record<string, () => Promise<Measure>> => ({
      doorward: ours(count),
      ...(stepCa === null ? {} : { stepCa: theirs(stepCa, count) }),
    });
    await interleave(1, takes(size.certificates));
    const { doorward = [], stepCa: measures = [] } = await interleave(size.rounds, takes(size.certificates));
    return { doorward, stepCa: stepCa === null ? null : { version: stepCa.version, measures } };
  } finally {
    kept.destroy();
    await stepCa?.close();
  }
}

async function redeemOn(agent: Agent, { controlUrl }: ServiceProcess, body: string): Promise<void> {
  const url = new URL('/v1/client-certificates/redeem', controlUrl);
  const headers = { 'content-type': 'application/json' };
  const request = httpRequest(url, { method: 'POST', agent, headers });
  request.end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  if (answer.statusCode !== 201) throw new Error(`Cannot redeem a token: ${answer.statusCode}`);
}

/** Prepares so many calls, and then makes them, several at once. */
async function measureCalls(
  subject: { readonly pid: () => number },
  count: number,
  prepare: () => Promise<() => Promise<void>>,
): Promise<Measure> {
  const calls: (() => Promise<void>)[] = [];
  while (calls.length < count) calls.push(await prepare());
  const before = cpuMs(subject.pid());
  const startedAt = performance.now();
  const latencies: number[] = [];
  const run = async (): Promise<void> => {
    for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
      const sentAt = performance.now();
      await call();
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  const ms = performance.now() - startedAt;
  const used = cpuMs(subject.pid()) - before;
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    answers: count,
    failures: 0,
    ms,
    bytes: 0,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMs: used,
    cpuUs: (used * 1000) / count,
    perSecond: count / (ms / 1000),
  };
}

/** In this process, on the store of the service, which does not run: nothing else keeps the event loop. */
async function measureList(size: Size, service: ServiceProcess): Promise<CertificateMeasures['list']> {
  fillRevoked(service.storeFile, size.revoked);
  const store = await openStore({
    engine: { kind: 'sqlite', file: service.storeFile },
    masterKey: await readMasterKey(join(service.folder, 'master.key')),
    now: Date.now,
    exclusive: true,
  });
  try {
    const [account] = await store.accounts.list();
    const [ca] = account === undefined ? [] : await store.cas.list(account.id, Date.now());
    if (ca === undefined) throw new Error('Cannot build a list: there is no authority');
    const rounds: { readonly buildMs: number; readonly stallMs: number }[] = [];
    while (rounds.length < size.rounds) {
      forgetList(service.storeFile);
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const startedAt = performance.now();
      const { der } = await createRevocationLists({ store, now: Date.now })(ca);
      rounds.push({ buildMs: performance.now() - startedAt, stallMs: delay.max / 1e6 });
      delay.disable();
      requireEntries(der, size.revoked);
    }
    return {
      buildMs: median(rounds.map((round) => round.buildMs)),
      stallMs: median(rounds.map((round) => round.stallMs)),
    };
  } finally {
    await store.close();
  }
}

/** So that the next is built from the first entry on. */
function forgetList(storeFile: string): void {
  const db = new DatabaseSync(storeFile);
  db.exec('DELETE FROM revocation_lists');
  db.close();
}

function requireEntries(der: Uint8Array, count: number): void {
  const text = openssl(['crl', '-inform', 'DER', '-noout', '-text'], der).toString();
  const entries = text.match(/Serial Number: /g)?.length ?? 0;
  if (entries !== count) throw new Error(`Cannot build a list: it has ${entries} entries`);
}

/** Copies of one that was issued, revoked, in the place of all others. */
function fillRevoked(storeFile: string, count: number): void {
  const db = new DatabaseSync(storeFile);
  const one = db.prepare('SELECT * FROM client_certificates LIMIT 1').get() ?? {};
  const columns = Object.keys(one);
  const insert = db.prepare(
    `INSERT INTO client_certificates (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
  );
  db.exec('BEGIN; DELETE FROM client_certificates');
  for (let n = 0; n < count; n++) {
    const number = (n + 2 ** 32).toString(16).padStart(32, '0').toUpperCase();
    const names = { id: newId('cer'), serial: `01${number}`, fingerprint: number.padStart(64, '0') };
    const row: typeof one = { ...one, ...names, revoked_at: Date.now(), revocation_reason: 'superseded' };
    insert.run(...columns.map((column) => row[column] ?? null));
  }
  db.exec('COMMIT');
  db.close();
}

async function measureHandshakes(
  size: Size,
  backendPort: number,
  { service }: Doorward,
): Promise<CertificateMeasures['handshakes']> {
  const { tls } = service;
  if (tls === null) throw new Error('Cannot measure handshakes: there is no TLS');
  const { pair, chain } = await redeemPair(service);
  const target = `http://127.0.0.1:${backendPort}`;
  await service.client.shares.create({ name: 'mutual', target, clientCertificate: { required: true } });
  const peers = await startPeers(backendPort, tls.pair);
  const mutual = await startPeers(backendPort, { ...tls.pair, clientAuthority: chain });
  try {
    const shake =
      (subject: Pick<Peer, 'pid' | 'port'>, share: string, own: TestPair | null, count: number) => () =>
        measure(subject, {
          kind: 'handshakes',
          port: subject.port,
          servername: `${share}.share.localhost`,
          request: requestText(new URL(service.urlOf(share)).host, '/', { more: 'Connection: close\r\n' }),
          ca: tls.ca,
          pair: own,
          connections: AT_ONCE,
          count,
          limitMs: size.limitMs,
        });
    const [nginx, nginxMutual] = [peers[0], mutual[0]];
    if (nginx === undefined || nginxMutual === undefined)
      throw new Error('Cannot measure: there is no nginx');
    const all = (count: number): Record<Shaker, () => Promise<Measure>> => ({
      nginx: shake(nginx, 'open', null, count),
      doorward: shake(service, 'open', null, count),
      nginxMutual: shake(nginxMutual, 'mutual', pair, count),
      doorwardMutual: shake(service, 'mutual', pair, count),
    });
    await interleave(1, all(size.handshakes));
    return await interleave(size.rounds, all(size.handshakes));
  } finally {
    for (const peer of [...peers, ...mutual]) await peer.close();
  }
}

async function redeemPair({
  client,
}: ServiceProcess): Promise<{ readonly pair: TestPair; readonly chain: string }> {
  const { key, csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  const { token } = await client.certificates.createToken({ name: 'bench', commonName: 'bench' });
  const { certificate, chain } = await client.certificates.redeem({ token, csr });
  return { pair: { certificate: certificate + chain, key }, chain };
}

/** As many as a small service has callers at one moment. */
const AT_ONCE = 16;
