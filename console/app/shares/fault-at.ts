// What the service found wrong with a list of a form, or with one line of it.

import type { Faults } from '../parts/form.tsx';

/** Faults of `path` itself, and of `path.0`, `path.1`… with the line that each is on. */
export function faultAt(faults: Faults, path: string): string | undefined {
  const found = Object.entries(faults).flatMap(([at, message]) => {
    if (at === path) return [message];
    const line = at.startsWith(`${path}.`) ? Number(at.slice(path.length + 1)) : Number.NaN;
    return Number.isInteger(line) ? [`Line ${line + 1}: ${message}.`] : [];
  });
  return found.length === 0 ? undefined : found.join(' ');
}
