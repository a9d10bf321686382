// What was measured as text: tables for people.

import { cpus, release, totalmem, type } from 'node:os';
import type { CrowdMeasures } from './rows/crowd.ts';
import { REQUEST_COUNT } from './rows/rules.ts';
import type { Results } from './results.ts';
import { budgetTable } from './budgets.ts';
import { certificateNotes, certificateTables } from './certificate-report.ts';
import { addedMs, grouped, measureRow, table } from './compare.ts';
import { rulesTable } from './rules-table.ts';
import { median, type Measure } from './subject.ts';
import { tunnelTable } from './tunnel-table.ts';

export function report(results: Results): string {
  const processors = cpus();
  return `# What Doorward costs

${results.date.toISOString().slice(0, 16).replace('T', ' ')} UTC, \`${results.command}\`, ${processors.length} cores (${processors[0]?.model ?? 'unknown'}), \
${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}; ${results.versions.join(', ')}. Load average before the start: \
${results.loadBefore.toFixed(1)}. Written by \`npm run bench\`; how it is measured is below.

## Requests

${requestTable(results)}

## Everything else

${otherTable(results)}

## ${grouped(results.size.shares)} shares, ${grouped(results.size.sessions)} living sessions

${crowdTable(results.crowd)}

## Client certificates

${certificateTables(results.certificates, results.size)}

## Rules

${rulesTable(results.rules)}

## Tunnels

${tunnelTable(results.tunnel)}

## Budgets

${budgetTable(results)}

## How

${how(results)}
`;
}

function requestTable({ requests, http2, size }: Results): string {
  const nginx = requests.peers['nginx'] ?? [];
  const others = Object.entries(requests.peers).filter(([name]) => name !== 'nginx');
  const rows = [
    measureRow('nginx `proxy_pass`, no login', nginx, nginx),
    ...others.map(([name, measures]) => measureRow(`${name}, no login`, measures, nginx)),
    measureRow('**Doorward, logged in**, HTTP/1.1', requests.authenticated, nginx),
    measureRow(`Doorward, logged in, ${grouped(size.shares)} shares`, requests.manyShares, nginx),
    measureRow('Doorward, share without login', requests.open, nginx),
    measureRow('nginx, HTTP/2 over TLS, no login', http2.nginx, http2.nginx),
    measureRow('Doorward, logged in, HTTP/2 over TLS', http2.doorward, http2.nginx),
  ];
  return table(
    [
      '280-byte answers, 32 at once',
      'CPU µs a request',
      '×',
      'requests/s',
      '×',
      'p50 ms',
      '×',
      'p99 ms',
      '×',
    ],
    rows,
  );
}

function otherTable(results: Results): string {
  const { halfLoad, download, sockets, idle, requests, size } = results;
  const added = addedMs(halfLoad);
  return table(
    ['', 'nginx', 'Doorward', '×'],
    [
      [
        `p99 added to the backend's own, ms, at ${grouped(halfLoad.perSecond)} requests/s while people log in (${halfLoad.loginsPerSecond.toFixed(1)}/s)`,
        added.nginx.toFixed(2),
        added.doorward.toFixed(2),
        '',
      ],
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
      besides(
        `Memory with ${grouped(sockets.count)} idle WebSockets, MB`,
        sockets.doorwardMb,
        sockets.nginxMb,
      ),
      besides('Memory idle, MB', idle.doorwardMb, idle.nginxMb),
      [`Memory idle with ${grouped(size.shares)} shares, MB`, '', requests.manySharesIdleMb.toFixed(0), ''],
      ['From start to listening, ms', '', median(results.startsMs).toFixed(0), ''],
      [
        `From start to listening with ${grouped(size.shares)} shares, ms`,
        '',
        requests.manySharesStartMs.toFixed(0),
        '',
      ],
    ],
  );
}

function crowdTable({ startMs, idleMb, usedMb, first, again, few, lists }: CrowdMeasures): string {
  return table(
    ['', 'Doorward'],
    [
      ['From start to listening, ms', startMs.toFixed(0)],
      ['Memory idle, MB', idleMb.toFixed(0)],
      ['Memory once every session was used twice, MB', usedMb.toFixed(0)],
      ...costRows('First request of each session', first),
      ...costRows('Second request of each session', again),
      ...costRows('A few visitors among them', few),
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

function how({ size, sockets, halfLoad, certificates, loadBefore }: Results): string {
  const notes = [
    'Backend, load generator, nginx and Doorward are processes of one machine that talk over loopback; each proxy gets the same bytes. CPU is user and system time of the proxy process, all of its threads and children, from `/proc/<pid>/stat` around the run.',
    `Each number is the median of ${size.rounds} rounds of ${grouped(size.count)} answers (half as many by HTTP/2; 3 rounds below the first table), in turn: nginx, then Doorward, then nginx again. Each × is the median of the ratios within a round, so what disturbs the machine disturbs both sides of it.`,
    'nginx has one worker, plain `proxy_pass`, kept connections both ways, and a buffered access log; Doorward one worker, its access log, and visitors who logged in at an OpenID provider: it opens the session, decides, strips, signs the identity.',
    `At half load, requests are due by the clock (${grouped(halfLoad.perSecond)} a second) and ${halfLoad.logins} people log in meanwhile; what is added is each p99 less the p99 of the backend asked directly under the same logins. Provider and browsers share the cores with what is measured.`,
    'Through a tunnel, the agent is `doorward share public` on the same machine; chisel and frp, where they are found, carry TCP connections and read no requests.',
    `Rules: ${grouped(size.decisions)} decisions a round for each kind, on ${REQUEST_COUNT} paths in turn, in a process that does nothing else. None of a hundred rules keeps the request out, and only the last of the allows lets it in; the session and what it knows stay the same.`,
    'Start to listening is from the spawn of the process to the first accepted connection, with a store that exists.',
    ...certificateNotes(certificates, size),
  ];
  if (sockets.note !== null) notes.push(`WebSockets: ${sockets.note}.`);
  if (loadBefore > 0.5)
    notes.push(
      'The machine was busy with something else (see the load average): ratios hold better than absolute numbers.',
    );
  return notes.map((note) => `- ${note}`).join('\n');
}
