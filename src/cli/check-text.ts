// Checks as people read them: one line each, what to do next below those that are not ok.

import type { Check } from '../domain/check.ts';
import { plain } from './terminal.ts';

export function checkLines(checks: readonly Check[]): string {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, state, found, next }) => {
      const line = `${state.padEnd(STATE_WIDTH)}  ${plain(name).padEnd(width)}  ${plain(found)}\n`;
      return next === null || state === 'ok' ? line : `${line}      → ${plain(next)}\n`;
    })
    .join('');
}

/** `2 failed, 1 warning, 9 ok`. */
export function checkTally(checks: readonly Check[]): string {
  const count = (state: Check['state']): number => checks.filter((check) => check.state === state).length;
  const warnings = count('warn');
  const parts = [
    ...(count('fail') === 0 ? [] : [`${count('fail')} failed`]),
    ...(warnings === 0 ? [] : [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`]),
    `${count('ok')} ok`,
  ];
  return parts.join(', ');
}

/** `warn` and `fail` are the longest. */
const STATE_WIDTH = 4;
