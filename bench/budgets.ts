// The budgets of DESIGN 6, and which are met. A timing never fails anything.

import { addedMs, grouped, ratio, table } from './compare.ts';
import type { Results } from './results.ts';
import { groupsRatio, mostExtraUs } from './rules-table.ts';
import type { SocketMemory } from './rows/sockets.ts';
import { median } from './subject.ts';

export function budgetTable({ requests, halfLoad, rules, sockets, idle, startsMs, size }: Results): string {
  const nginx = requests.peers['nginx'] ?? [];
  const cost = ratio(requests.authenticated, nginx, (m) => m.cpuUs);
  const many = ratio(requests.manyShares, requests.authenticated, (m) => m.cpuUs);
  const added = addedMs(halfLoad).doorward;
  const startMs = median(startsMs);
  return table(
    ['Budget', 'Measured', ''],
    [
      row('CPU of a logged-in request at most 2.5 × nginx', `${cost.toFixed(2)} ×`, cost <= 2.5),
      row('— the goal: 1.5 ×', `${cost.toFixed(2)} ×`, cost <= 1.5),
      row(
        `the same for 1 and ${grouped(size.shares)} shares (within a tenth)`,
        `${many.toFixed(2)} ×`,
        many <= 1.1,
      ),
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
      row('p99 added under 2 ms at half load while people log in', `${added.toFixed(2)} ms`, added < 2),
      socketRow(sockets),
      row('idle memory under 150 MB', `${idle.doorwardMb.toFixed(0)} MB`, idle.doorwardMb < 150),
      row('listening within 500 ms of start', `${startMs.toFixed(0)} ms`, startMs <= 500),
    ],
  );
}

/** Memory grows with each: from far fewer sockets nothing follows. */
function socketRow({ count, doorwardMb }: SocketMemory): string[] {
  const budget = '10,000 idle WebSockets in under 400 MB';
  if (count < 9_000) return [budget, `${doorwardMb.toFixed(0)} MB with ${grouped(count)}`, 'not measured'];
  const allowedMb = (400 * count) / 10_000;
  return row(budget, `${doorwardMb.toFixed(0)} MB with ${grouped(count)}`, doorwardMb < allowedMb);
}

function row(budget: string, measured: string, met: boolean): string[] {
  return [budget, measured, met ? 'met' : '**missed**'];
}
