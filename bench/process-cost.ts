// What a process and its children cost, as the kernel counts it (proc(5)): CPU time of all threads, and
// resident memory. Linux only.

import { readFileSync } from 'node:fs';

/** Milliseconds of CPU, user and system, that the process and its living descendants used so far. */
export function cpuMs(pid: number): number {
  let ticks = 0;
  for (const each of withChildren(pid)) {
    // The name, in parentheses, may hold anything; fields are counted from behind it.
    const stat = readFileSync(`/proc/${each}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[UTIME]) + Number(fields[STIME]);
  }
  return ticks * TICK_MS;
}

/** Mebibytes of the process and its children that are in memory now. */
export function residentMb(pid: number): number {
  let kib = 0;
  for (const each of withChildren(pid)) {
    const status = readFileSync(`/proc/${each}/status`, 'latin1');
    kib += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  }
  return kib / 1024;
}

/** How many descriptors one process may have. */
export function descriptorLimit(pid: number): number {
  const limits = readFileSync(`/proc/${pid}/limits`, 'latin1');
  return Number(/Max open files +(\d+)/.exec(limits)?.[1] ?? 0);
}

/** The process and its living descendants. */
export function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  if (children === '') return [pid];
  return [pid, ...children.split(' ').flatMap((child) => withChildren(Number(child)))];
}

/** Fields 14 and 15 of proc(5), counted from the third. */
const UTIME = 11;
const STIME = 12;
/** USER_HZ is 100 on every architecture that Linux still has. */
const TICK_MS = 10;
