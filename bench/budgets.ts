// The budgets of DESIGN 6, and which are met. A timing never fails anything.

import { addedMs, grouped, ratio, table } from './compare.ts';
import { answerCost } from './forward-auth-table.ts';
import type { ForwardAuthMeasures } from './rows/forward-auth.ts';
import type { Results } from './results.ts';
import { groupsRatio, mostExtraUs } from './rules-table.ts';
import type { HalfLoad } from './rows/half-load.ts';
import type { InstalledMeasures } from './rows/installed.ts';
import type { RequestMeasures } from './rows/requests.ts';
import type { SocketMemory } from './rows/sockets.ts';
import type { Size } from './size.ts';
import { median } from './subject.ts';

export function budgetTable(results: Results): string {
  const { requests, halfLoad, rules, sockets, idle, startsMs, forwardAuth, installed } = results;
  const startMs = median(startsMs);
  return table(
    ['Budget', 'Measured', ''],
    [
      ...(requests === null ? [] : requestRows(requests, results.size)),
      ...(rules === null
        ? []
        : [
            row(
              '100 rules cost a request at most 2 µs more than none',
              `${mostExtraUs(rules).toFixed(2)} µs`,
              mostExtraUs(rules) <= 2,
            ),
            row(
              'a session of 1,000 groups costs no more than one of 1 (within a tenth)',
              `${groupsRatio(rules).toFixed(2)} ×`,
              groupsRatio(rules) <= 1.1,
            ),
          ]),
      ...(halfLoad === null ? [] : [halfLoadRow(halfLoad)]),
      ...(forwardAuth === null ? [] : [answerRow(forwardAuth)]),
      ...(sockets === null ? [] : [socketRow(sockets)]),
      row('idle memory under 150 MB', `${idle.doorwardMb.toFixed(0)} MB`, idle.doorwardMb < 150),
      row('listening within 500 ms of start', `${startMs.toFixed(0)} ms`, startMs <= 500),
      ...(installed === null ? [] : installedRows(installed, results.size)),
    ],
  );
}

function requestRows(requests: RequestMeasures, size: Size): string[][] {
  const cost = ratio(requests.authenticated, requests.peers['nginx'] ?? [], (m) => m.cpuUs);
  const varied = ratio(requests.varied, requests.variedNginx, (m) => m.cpuUs);
  const many = requests.manyShares?.measures ?? [];
  const rows = [
    row('CPU of a logged-in request at most 2.5 × nginx', `${cost.toFixed(2)} ×`, cost <= 2.5),
    row('— the goal: 1.6 ×', `${cost.toFixed(2)} ×`, cost <= 1.6),
    row("— with a browser's heads: 1.8 ×", `${varied.toFixed(2)} ×`, varied <= 1.8),
  ];
  if (many.length === 0) return rows;
  const manyCost = ratio(many, requests.authenticated, (m) => m.cpuUs);
  const title = `the same for 1 and ${grouped(size.shares)} shares (within a tenth)`;
  return [...rows, row(title, `${manyCost.toFixed(2)} ×`, manyCost <= 1.1)];
}

function answerRow(measures: ForwardAuthMeasures): string[] {
  const { us, allowedUs } = answerCost(measures);
  return row(
    'an authorization answer at most 1.3 × nginx `return 200` and the gate’s own work',
    `${us.toFixed(1)} µs of ${allowedUs.toFixed(1)}`,
    us <= allowedUs,
  );
}

function halfLoadRow(halfLoad: HalfLoad): string[] {
  const { doorward, nginx } = addedMs(halfLoad);
  return row(
    "p99 added at half load while people log in, at most nginx's and 4 ms",
    `${doorward.toFixed(2)} ms beside ${nginx.toFixed(2)} ms`,
    doorward <= nginx + 4,
  );
}

/** Memory grows with each: from far fewer sockets nothing follows. */
function socketRow({ count, doorwardMb }: SocketMemory): string[] {
  const budget = '10,000 idle WebSockets in under 400 MB';
  if (count < 9_000) return [budget, `${doorwardMb.toFixed(0)} MB with ${grouped(count)}`, 'not measured'];
  const allowedMb = (400 * count) / 10_000;
  return row(budget, `${doorwardMb.toFixed(0)} MB with ${grouped(count)}`, doorwardMb < allowedMb);
}

function installedRows({ fresh, many }: InstalledMeasures, size: Size): string[][] {
  const [freshMs, manyMs] = [median(fresh.startsMs), median(many.startsMs)];
  return [
    row('— the goal, of the executable: 250 ms', `${freshMs.toFixed(0)} ms`, freshMs <= 250),
    row(`— with ${grouped(size.shares)} shares: 1,000 ms`, `${manyMs.toFixed(0)} ms`, manyMs <= 1_000),
    row(
      `memory of the executable at rest with ${grouped(size.shares)} shares: 250 MB`,
      `${many.idleMb.toFixed(0)} MB`,
      many.idleMb <= 250,
    ),
  ];
}

function row(budget: string, measured: string, met: boolean): string[] {
  return [budget, measured, met ? 'met' : '**missed**'];
}
