// `npm run soak`: the long runs, at full size. `node scripts/soak.ts [part…] [options]` runs some of them, at
// any size:
//
//   upload, download   --bytes 5e9      one body over HTTP/1.1 and over HTTP/2, in flat memory
//   tunnel-bodies      --bytes 5e9      one body through a tunnel, both ways, in flat memory at both ends
//   tunnel-streams                      fast requests beside as many slow ones as a tunnel takes
//   tunnel-network                      agent and gateway on two hosts: the cable pulled, either killed (root)
//   fuzz               --answers 1e6    the client towards backends beside undici
//   churn              --kills 100      logins and logouts while workers and the process are killed
//   crash              --kills 100      kill -9 while the store is written to, by itself and by the API of the service
//   logins             --kills 100      kill -9 while people log in and out: the audit tells of all of it
//   redeem             --kills 100      kill -9 while certificates are given out for tokens
//   malformed          --inputs 1e5     broken certificate requests, ClientHellos and tokens
//   upgrade            --answers 1e6    from the version before to this one, back, and forward, while all serve
//   audit-search       --events 50000   a search of the audit log, for rare and for common text
//   lists              --sessions 100000  lists of sessions, and of a tenth as many shares, in each order
//   lists-in-browser --sessions 100000  every list of the console, in a browser: from the answer to its rows
//   pages                               every test of the console's pages, on PostgreSQL
//   endurance          --minutes 60     ordinary use; nothing fails, nothing grows
//
// Each part prints what it found; the exit code is 1 when one of them failed.

import { parseArgs } from 'node:util';
import { searchOnPostgres, searchOnSqlite, type SearchTimes } from '../test/soak/audit-search.ts';
import { churn } from '../test/soak/churn.ts';
import { crashStore } from '../test/soak/crash.ts';
import { crashLoginsOnPostgres, crashLoginsOnSqlite } from '../test/soak/crash-logins.ts';
import { crashRedeemOnPostgres, crashRedeemOnSqlite } from '../test/soak/crash-redeem.ts';
import { crashOnPostgres, crashOnSqlite } from '../test/soak/crash-service.ts';
import { endure } from '../test/soak/endurance.ts';
import type { BrowserTimes } from '../test/soak/browse-lists.ts';
import { listOnPostgres, listOnSqlite } from '../test/soak/lists.ts';
import { browseOnPostgres, browseOnSqlite } from '../test/soak/lists-in-browser.ts';
import { readMalformedHellos, readMalformedTokens } from '../test/soak/malformed-hellos.ts';
import { readMalformedRequests } from '../test/soak/malformed-requests.ts';
import { tryNetwork } from '../test/soak/network.ts';
import { measureSlowStreams } from '../test/soak/slow-streams.ts';
import { pagesOnPostgres } from '../test/soak/pages.ts';
import { startTransferRig } from '../test/soak/transfer.ts';
import { upgradeFleet, upgradeSingle } from '../test/soak/upgrade.ts';
import { fuzzUpstream } from '../test/soak/upstream-fuzz.ts';
import {
  FIRST_EDITION,
  layOutVersion,
  missingVersion,
  VERSION_BEFORE,
} from '../test/support/version-before.ts';

type Sizes = {
  readonly bytes: number;
  readonly answers: number;
  readonly kills: number;
  readonly inputs: number;
  readonly minutes: number;
  readonly events: number;
  readonly sessions: number;
};

const PARTS: Readonly<Record<string, (sizes: Sizes) => Promise<unknown>>> = {
  upload: ({ bytes }) => transfer('upload', bytes),
  download: ({ bytes }) => transfer('download', bytes),
  'tunnel-bodies': async ({ bytes }) => ({
    upload: await transfer('upload', bytes, 'tunnel'),
    download: await transfer('download', bytes, 'tunnel'),
  }),
  'tunnel-streams': () => measureSlowStreams(FAST_REQUESTS),
  'tunnel-network': () => tryNetwork(CABLE_DOWN_MS),
  fuzz: ({ answers }) => fuzzUpstream(answers),
  churn: ({ kills }) => churn({ people: PEOPLE, kills }),
  crash: async ({ kills }) => ({
    store: await crashStore(kills),
    service: { sqlite: await crashOnSqlite(kills), postgres: await crashOnPostgres(kills) },
  }),
  logins: async ({ kills }) => ({
    sqlite: await crashLoginsOnSqlite(kills),
    postgres: await crashLoginsOnPostgres(kills),
  }),
  redeem: async ({ kills }) => ({
    sqlite: await crashRedeemOnSqlite(kills),
    postgres: await crashRedeemOnPostgres(kills),
  }),
  malformed: ({ inputs }) => malformed(inputs),
  upgrade: ({ answers }) => upgrades(Math.ceil(answers / UPGRADE_STEPS)),
  'audit-search': async ({ events }) => ({
    sqlite: soonEnough(await searchOnSqlite(events)),
    postgres: soonEnough(await searchOnPostgres(events)),
  }),
  lists: async ({ sessions }) => {
    const size = { sessions, shares: Math.ceil(sessions / 10) };
    return {
      sqlite: soonEnough(await listOnSqlite(size), LIST_MS),
      postgres: soonEnough(await listOnPostgres(size), LIST_MS),
    };
  },
  'lists-in-browser': async ({ sessions }) => {
    const size = { sessions, rounds: BROWSER_ROUNDS };
    return {
      sqlite: withMisses(await browseOnSqlite(size)),
      postgres: withMisses(await browseOnPostgres(size)),
    };
  },
  pages: pagesOnPostgres,
  endurance: ({ minutes }) => endurance(minutes),
};

async function soak(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      bytes: { type: 'string', default: '5e9' },
      answers: { type: 'string', default: '1e6' },
      kills: { type: 'string', default: '100' },
      inputs: { type: 'string', default: '1e5' },
      minutes: { type: 'string', default: '60' },
      events: { type: 'string', default: '50000' },
      sessions: { type: 'string', default: '100000' },
    },
  });
  const sizes: Sizes = {
    bytes: Number(values.bytes),
    answers: Number(values.answers),
    kills: Number(values.kills),
    inputs: Number(values.inputs),
    minutes: Number(values.minutes),
    events: Number(values.events),
    sessions: Number(values.sessions),
  };
  const names = positionals.length === 0 ? Object.keys(PARTS) : positionals;
  const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0 || Object.values(sizes).some((size) => !(size > 0))) {
    process.stderr.write(`soak: parts are ${Object.keys(PARTS).join(', ')}; sizes are numbers above 0\n`);
    return 2;
  }
  let failed = 0;
  for (const name of names) failed += (await run(name, sizes)) ? 0 : 1;
  return failed === 0 ? 0 : 1;
}

async function run(name: string, sizes: Sizes): Promise<boolean> {
  const startedAt = performance.now();
  process.stderr.write(`soak: ${name}\n`);
  try {
    const found = await PARTS[name]?.(sizes);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`${JSON.stringify({ part: name, ok: true, seconds, found })}\n`);
    return true;
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stdout.write(`${JSON.stringify({ part: name, ok: false, error: text })}\n`);
    return false;
  }
}

async function transfer(
  direction: 'upload' | 'download',
  bytes: number,
  way: 'direct' | 'tunnel' = 'direct',
) {
  const rig = await startTransferRig(way);
  try {
    const found: Record<string, unknown> = {};
    for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const) {
      await rig[direction](protocol, Math.min(bytes, WARM_UP));
      const { beforeMb, peakMb, agent, ms } = await rig[direction](protocol, bytes);
      for (const memory of [{ beforeMb, peakMb }, ...(agent === null ? [] : [agent])])
        if (memory.peakMb - memory.beforeMb > GROWTH_MB)
          throw new Error(
            `${direction} over ${protocol}: memory grew from ${memory.beforeMb} to ${memory.peakMb} MB`,
          );
      const mbPerSecond = Math.round(bytes / 1e3 / ms);
      found[protocol] = { beforeMb, peakMb, mbPerSecond, ...(agent === null ? {} : { agent }) };
    }
    return found;
  } finally {
    await rig.close();
  }
}

async function malformed(inputs: number) {
  const requests = readMalformedRequests(inputs);
  if (requests.slowestMs > HANG_MS) throw new Error(`One request took long: ${JSON.stringify(requests)}`);
  return { requests, hellos: await readMalformedHellos(inputs), tokens: readMalformedTokens(inputs) };
}

/** On both engines; from the first edition, too, where it runs on the packages of today. */
async function upgrades(answers: number) {
  using before = layOutVersion(VERSION_BEFORE);
  const { program } = before;
  const found: Record<string, unknown> = {};
  const from = async (commit: string) => {
    using former = layOutVersion(commit);
    found[commit.slice(0, 8)] = {
      postgres: await upgradeFleet({
        from: former.program,
        back: program,
        answers,
        workers: WORKERS,
        rolledBack: 3,
        restMs: 20,
      }),
      sqlite: await upgradeSingle({ from: former.program, back: program }),
    };
  };
  await from(VERSION_BEFORE);
  const missing = missingVersion(FIRST_EDITION);
  if (missing === false) await from(FIRST_EDITION);
  else found['skipped'] = missing;
  return found;
}

function soonEnough(times: SearchTimes, mostMs = SEARCH_MS): SearchTimes {
  if (Object.values(times).some(({ median }) => median > mostMs))
    throw new Error(`A page took more than ${mostMs} ms: ${JSON.stringify(times)}`);
  return times;
}

/** A browser's times are no verdict: what it shares the machine with is as busy as it is. */
function withMisses(times: BrowserTimes) {
  const misses = Object.keys(times).filter((what) => (times[what]?.rows.median ?? 0) > LIST_MS);
  return { barMs: LIST_MS, misses, times };
}

async function endurance(minutes: number) {
  const found = await endure({ people: PEOPLE, minutes });
  if (found.endMb > found.warmMb + GROWTH_MB)
    throw new Error(`Memory grew from ${found.warmMb} to ${found.endMb} MB: ${JSON.stringify(found)}`);
  if (found.endDescriptors > found.warmDescriptors + GROWTH_DESCRIPTORS)
    throw new Error(`Descriptors grew: ${JSON.stringify(found)}`);
  return found;
}

const PEOPLE = 6;
const WORKERS = 2;
/** In each, every list is walked once. */
const BROWSER_ROUNDS = 3;
const FAST_REQUESTS = 2_000;
/** What TCP bridges by itself, and what both ends notice. */
const CABLE_DOWN_MS = [5_000, 60_000];
/** A million answers of the fuzz are a thousand between two steps of an upgrade, for each visitor. */
const UPGRADE_STEPS = 1_000;
const WARM_UP = 64e6;
/** Nobody who waits for another's request notices less. */
const HANG_MS = 50;
/** Half of the pages of each search; what else the machine does slows down some of them. */
const SEARCH_MS = 20;
/** As soon as somebody who waits for a list takes for at once. */
const LIST_MS = 300;
/** What the collector leaves lying about; five gigabytes that are held, or hours of a leak, are far more. */
const GROWTH_MB = 64;
/** Connections that are open for the moment; people hold a few each. */
const GROWTH_DESCRIPTORS = 100;

process.exitCode = await soak();
