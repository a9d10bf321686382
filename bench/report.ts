// What was measured as text: tables for people.

import { cpus, release, totalmem, type } from 'node:os';
import type { CrowdMeasures } from './rows/crowd.ts';
import type { HalfLoad, Latencies } from './rows/half-load.ts';
import type { Installed, InstalledMeasures } from './rows/installed.ts';
import type { RequestMeasures } from './rows/requests.ts';
import { REQUEST_COUNT } from './rows/rules.ts';
import type { WorkerMeasures } from './rows/workers.ts';
import type { Size } from './size.ts';
import type { Results } from './results.ts';
import { budgetTable } from './budgets.ts';
import { certificateNotes, certificateTables } from './certificate-report.ts';
import { addedMs, grouped, measureRow, table } from './compare.ts';
import { forwardAuthNotes, forwardAuthTable } from './forward-auth-table.ts';
import { rulesTable } from './rules-table.ts';
import { median, type Measure } from './subject.ts';
import { tunnelTable } from './tunnel-table.ts';

export function report(results: Results): string {
  const processors = cpus();
  return `# What Doorward costs

${results.date.toISOString().slice(0, 16).replace('T', ' ')} UTC, \`${results.command}\`, ${processors.length} cores (${processors[0]?.model ?? 'unknown'}), \
${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}; ${results.versions.join(', ')}. Load average before the start: \
${results.loadBefore.toFixed(1)}. Written by \`npm run bench\`; how it is measured is below.

${sections(results).join('\n\n')}
`;
}

function sections(results: Results): readonly string[] {
  const { size, requests, http2, workers, crowd, certificates, rules, tunnel, forwardAuth } = results;
  const all: readonly (readonly [title: string, text: string | null])[] = [
    ['Requests', requests === null && http2 === null ? null : requestTable(results)],
    ['Everything else', otherTable(results)],
    ['Workers', workers && workersTable(workers)],
    [
      `${grouped(size.shares)} shares, ${grouped(size.sessions)} living sessions`,
      crowd && crowdTable(crowd, size),
    ],
    ['Client certificates', certificates && certificateTables(certificates, size)],
    ['Rules', rules && rulesTable(rules)],
    ['Tunnels', tunnel && tunnelTable(tunnel)],
    ['Forward auth', forwardAuth && forwardAuthTable(forwardAuth)],
    ['Budgets', budgetTable(results)],
    ['How', how(results)],
  ];
  return all.flatMap(([title, text]) => (text === null ? [] : [`## ${title}\n\n${text}`]));
}

function requestTable({ requests, http2, size }: Results): string {
  const rows = [
    ...(requests === null ? [] : plainRows(requests, size)),
    ...(http2 === null
      ? []
      : [
          measureRow('nginx, HTTP/2 over TLS, no login', http2.nginx, http2.nginx),
          measureRow('Doorward, logged in, HTTP/2 over TLS', http2.doorward, http2.nginx),
        ]),
  ];
  return table(['280-byte answers, 32 at once', 'CPU µs a request', ...MEASURE_HEAD], rows);
}

function plainRows(requests: RequestMeasures, size: Size): string[][] {
  const nginx = requests.peers['nginx'] ?? [];
  const others = Object.entries(requests.peers).filter(([name]) => name !== 'nginx');
  return [
    measureRow('nginx `proxy_pass`, no login', nginx, nginx),
    ...others.map(([name, measures]) =>
      measureRow(name === 'oauth2-proxy' ? `${name}, logged in` : `${name}, no login`, measures, nginx),
    ),
    measureRow('**Doorward, logged in**, HTTP/1.1', requests.authenticated, nginx),
    ...(requests.manyShares === null
      ? []
      : [
          measureRow(
            `Doorward, logged in, ${grouped(size.shares)} shares`,
            requests.manyShares.measures,
            nginx,
          ),
        ]),
    measureRow('Doorward, share without login', requests.open, nginx),
    measureRow("nginx, a browser's heads", requests.variedNginx, requests.variedNginx),
    measureRow("**Doorward, logged in, a browser's heads**", requests.varied, requests.variedNginx),
  ];
}

function workersTable(workers: WorkerMeasures): string {
  const [one = []] = workers.values();
  return table(
    ['Logged in, 64 at once', 'CPU µs a request', ...MEASURE_HEAD],
    [...workers].map(([count, measures]) =>
      measureRow(count === 1 ? 'One worker' : `${count} workers`, measures, one),
    ),
  );
}

function otherTable({
  halfLoad,
  download,
  sockets,
  idle,
  requests,
  size,
  startsMs,
  installed,
}: Results): string {
  const rows = [
    ...(halfLoad === null ? [] : halfLoadRows(halfLoad)),
    ...(download === null
      ? []
      : [
          besides(
            'Download, MB/s',
            median(download.doorward.map(perSecondMb)),
            median(download.nginx.map(perSecondMb)),
          ),
          besides(
            'Download, CPU ms a GB',
            median(download.doorward.map(cpuMsPerGb)),
            median(download.nginx.map(cpuMsPerGb)),
          ),
        ]),
    ...(sockets === null
      ? []
      : [
          besides(
            `Memory with ${grouped(sockets.count)} idle WebSockets, MB`,
            sockets.doorwardMb,
            sockets.nginxMb,
          ),
        ]),
    besides('Memory idle, MB', idle.doorwardMb, idle.nginxMb),
    ['From start to listening, ms', '', median(startsMs).toFixed(0), ''],
    ...manySharesRows(requests?.manyShares ?? null, size),
    ...(installed === null ? [] : installedRows(installed, size)),
  ];
  return table(['', 'nginx', 'Doorward', '×'], rows);
}

function halfLoadRows({ perSecond, loginsPerSecond, apart, ...together }: HalfLoad): string[][] {
  const row = (where: string, latencies: Latencies) => {
    const added = addedMs(latencies);
    return [
      `p99 added to the backend's own, ms, at ${grouped(perSecond)} requests/s while people log in (${loginsPerSecond.toFixed(1)}/s)${where}`,
      added.nginx.toFixed(2),
      added.doorward.toFixed(2),
      '',
    ];
  };
  return [row('', together), ...(apart === null ? [] : [row(', the proxy alone on a core', apart)])];
}

function manySharesRows(many: RequestMeasures['manyShares'], size: Size): string[][] {
  if (many === null) return [];
  return [
    [`Memory idle with ${grouped(size.shares)} shares, MB`, '', many.idleMb.toFixed(0), ''],
    [`From start to listening with ${grouped(size.shares)} shares, ms`, '', many.startMs.toFixed(0), ''],
  ];
}

function installedRows({ fresh, many }: InstalledMeasures, size: Size): string[][] {
  return [...startRows(fresh, ''), ...startRows(many, ` with ${grouped(size.shares)} shares`)];
}

function startRows({ idleMb, startsMs }: Installed, where: string): string[][] {
  return [
    [`The executable: memory idle${where}, MB`, '', idleMb.toFixed(0), ''],
    [`The executable: from start to listening${where}, ms`, '', median(startsMs).toFixed(0), ''],
  ];
}

function crowdTable(
  { visited, startMs, idleMb, usedMb, first, again, few, zipf, lists }: CrowdMeasures,
  { sessions }: Size,
): string {
  const each = visited === sessions ? 'each session' : `each of ${grouped(visited)} sessions`;
  return table(
    ['', 'Doorward'],
    [
      ['From start to listening, ms', startMs.toFixed(0)],
      ['Memory idle, MB', idleMb.toFixed(0)],
      [`Memory once ${each} was used twice, MB`, usedMb.toFixed(0)],
      ...costRows(`First request of ${each}`, first),
      ...costRows(`Second request of ${each}`, again),
      ...costRows('A few visitors among them', few),
      ...costRows('Visits by Zipf', zipf),
      ...Object.entries(lists).map(([name, ms]) => [`The control API: ${name}, ms`, ms.toFixed(1)]),
    ],
  );
}

function costRows(title: string, of: Measure): string[][] {
  return [
    [`${title}: CPU µs a request`, of.cpuUs.toFixed(0)],
    [`${title}: p50 ms`, of.p50Ms.toFixed(2)],
  ];
}

function besides(title: string, doorward: number, nginx: number): string[] {
  return [title, nginx.toFixed(0), doorward.toFixed(0), (doorward / nginx).toFixed(2)];
}

function perSecondMb({ bytes, ms }: Measure): number {
  return bytes / 1e6 / (ms / 1000);
}

function cpuMsPerGb({ bytes, cpuMs }: Measure): number {
  return cpuMs / (bytes / 1e9);
}

function how({
  size,
  sockets,
  halfLoad,
  certificates,
  rules,
  crowd,
  workers,
  requests,
  forwardAuth,
  loadBefore,
}: Results): string {
  const notes = [
    'Backend, load generator, nginx and Doorward are processes of one machine that talk over loopback; each proxy gets the same bytes. CPU is user and system time of the proxy process, all of its threads and children, from `/proc/<pid>/stat` around the run.',
    `Each number is the median of ${size.rounds} rounds of ${grouped(size.count)} answers (half as many by HTTP/2; 3 rounds below the first table), in turn: nginx, then Doorward, then nginx again. Each × is the median of the ratios within a round, so what disturbs the machine disturbs both sides of it.`,
    'nginx has one worker, plain `proxy_pass`, kept connections both ways, and a buffered access log; Doorward one worker, its access log, and visitors who logged in at an OpenID provider: it opens the session, decides, strips, signs the identity.',
  ];
  if (requests !== null)
    notes.push(
      'Node’s sockets, which read nothing: each connection’s bytes go to the backend and back as they come, in one thread, which is the least that a proxy on Node can cost. Node’s HTTP server and client: heads and bodies go on as they are, over kept connections.',
      "A browser's heads: those that Chromium sent as a page with styles, scripts, pictures, a font and fetches was opened, left and loaded again, some 900 bytes each with seven cookies; each request is the next of them, of the next visitor.",
    );
  if (requests?.peers['oauth2-proxy'] !== undefined)
    notes.push(
      'oauth2-proxy runs as its guide says, with sessions in cookies; its visitors logged in at an OpenID provider.',
    );
  if (halfLoad !== null)
    notes.push(
      `At half load, requests are due by the clock (${grouped(halfLoad.perSecond)} a second) and ${halfLoad.logins} people log in meanwhile; what is added is each p99 less the p99 of the backend asked directly under the same logins. Provider and browsers share the cores with what is measured; where the proxy is alone on a core, they, the backend and the load are on another.`,
    );
  if (workers !== null)
    notes.push(
      `Workers: two load generators, which, with the backend, need cores of their own; this machine has ${cpus().length}.`,
    );
  if (rules !== null)
    notes.push(
      `Rules: ${grouped(size.decisions)} decisions a round for each kind, on ${REQUEST_COUNT} paths in turn, in a process that does nothing else. None of a hundred rules keeps the request out, and only the last of the allows lets it in; the session and what it knows stay the same.`,
    );
  if (crowd !== null)
    notes.push(
      'Visits by Zipf: the n-th most frequent visitor comes a n-th as often as the first, in an order that nobody could know before.',
    );
  notes.push(
    'Through a tunnel, the agent is `doorward share public` on the same machine; chisel and frp, where they are found, carry TCP connections and read no requests.',
    'Start to listening is from the spawn of the process to the first accepted connection, with a store that exists.',
  );
  if (certificates !== null) notes.push(...certificateNotes(certificates, size));
  if (forwardAuth !== null) notes.push(...forwardAuthNotes(forwardAuth, size));
  if (sockets !== null && sockets.note !== null) notes.push(`WebSockets: ${sockets.note}.`);
  if (loadBefore > 0.5)
    notes.push(
      'The machine was busy with something else (see the load average): ratios hold better than absolute numbers.',
    );
  return notes.map((note) => `- ${note}`).join('\n');
}

const MEASURE_HEAD: readonly string[] = ['×', 'requests/s', '×', 'p50 ms', '×', 'p99 ms', '×'];
