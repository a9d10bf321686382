// Doorward under measurement, set up as `init` does: one worker, access log on. Visitors log in at a real
// provider, through the whole login.

import { DatabaseSync } from 'node:sqlite';
import { newId } from '../../src/domain/id.ts';
import { createBrowser, walkLogin } from '../../test/support/browser-by-hand.ts';
import {
  layOutService,
  type ServiceProcess,
  type ServiceProcessOptions,
} from '../../test/support/service-process.ts';
import type { Subject } from '../subject.ts';
import { residentMb } from '../process-cost.ts';

export type Doorward = {
  readonly service: ServiceProcess;
  /** From start to the first accepted connection, one for each of its starts. */
  readonly startsMs: readonly number[];
  /** Resident memory a moment after its start, before any visitor. */
  readonly idleMb: number;
  /** One Cookie header for each visitor, for the share `demo`. */
  readonly cookies: readonly string[];
  /** The share `demo`, whose visitors are logged in, and `open`, which has no login. */
  readonly protected: Subject;
  readonly open: Subject;
  /** One person logs in to `demo` with a browser of their own. */
  readonly logIn: (email: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

export type DoorwardOptions = ServiceProcessOptions & {
  readonly backendPort: number;
  readonly visitors: number;
  /** In all. */
  readonly shares: number;
  readonly starts: number;
};

export async function startDoorward(options: DoorwardOptions): Promise<Doorward> {
  const service = await layOutService(options);
  try {
    const startsMs = [await service.start()];
    const target = `http://127.0.0.1:${options.backendPort}`;
    await service.client.shares.create({ name: 'demo', target, oauthProvider: 'corp' });
    await service.client.shares.create({ name: 'open', target, open: true });
    await service.stop();
    fillShares(service.storeFile, options.shares - 2);
    while (startsMs.length <= options.starts) {
      await service.stop();
      startsMs.push(await service.start());
    }
    // The very first start makes the store.
    startsMs.shift();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const idleMb = residentMb(service.pid());
    const logIn = (email: string) => logInTo(service, email);
    const cookies: string[] = [];
    for (let n = 0; n < options.visitors; n++) cookies.push(await logIn(`visitor-${n}@example.com`));
    return {
      service,
      startsMs,
      idleMb,
      cookies,
      protected: subjectOf(service, 'demo', cookies),
      open: subjectOf(service, 'open', ['']),
      logIn,
      close: service.close,
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** A GET as small clients write it, with the origin that upgrades need. */
export function requestText(host: string, path: string, { cookie = '', more = '' } = {}): string {
  const line = cookie === '' ? '' : `Cookie: ${cookie}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: bench\r\nAccept: */*\r\n${line}${more}\r\n`;
}

function subjectOf(service: ServiceProcess, share: string, cookies: readonly string[]): Subject {
  const { host } = new URL(service.urlOf(share));
  return {
    name: 'doorward',
    pid: service.pid,
    port: service.port,
    requests: (path, more = '') => cookies.map((cookie) => requestText(host, path, { cookie, more })),
  };
}

async function logInTo(service: ServiceProcess, email: string): Promise<string> {
  const url = service.urlOf('demo');
  const browser = createBrowser(service.tls === null ? {} : { ca: service.tls.ca });
  const { last } = await walkLogin(browser, url, { email });
  const cookie = browser.jar.header(new URL(url));
  if (last.status !== 200 || cookie === null) throw new Error(`Cannot log in: ${last.status} at ${last.url}`);
  return cookie;
}

/** More shares like `demo`, straight into the store of a service that does not run. */
function fillShares(storeFile: string, count: number): void {
  const db = new DatabaseSync(storeFile);
  const demo = db.prepare(`SELECT * FROM shares WHERE name = 'demo'`).get() ?? {};
  const columns = Object.keys(demo);
  const insert = db.prepare(
    `INSERT INTO shares (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
  );
  const claim = db.prepare('INSERT INTO share_names (name, account_id) VALUES (?, ?)');
  db.exec('BEGIN');
  for (let n = 0; n < count; n++) {
    const row: typeof demo = { ...demo, id: newId('shr'), name: `filler-${n}` };
    claim.run(row['name'] ?? '', row['account_id'] ?? '');
    insert.run(...columns.map((column) => row[column] ?? null));
  }
  db.exec('COMMIT');
  db.close();
}

/** What a start leaves to do afterwards is done by then. */
const SETTLE_MS = 1_000;
