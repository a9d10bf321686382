// What the service found wrong with the fields of a form.

import { ServiceError } from '../../../src/domain/service-error.ts';

/** By the field's path in the API: `config.issuerUrl`. */
export type Faults = Readonly<Record<string, string>>;

/** From `faults: [{path, message}]` of a problem document. */
export function faultsOf(error: unknown): Faults {
  const faults = error instanceof ServiceError ? error.extra['faults'] : null;
  if (!Array.isArray(faults)) return {};
  return Object.fromEntries(
    (faults as { path?: unknown; message?: unknown }[]).map(({ path, message }) => [
      String(path),
      String(message),
    ]),
  );
}

/** Faults of `path` itself, and of `path.0`, `path.1`… with the line that each is on. */
export function faultAt(faults: Faults, path: string): string | undefined {
  const found = Object.entries(faults).flatMap(([at, message]) => {
    if (at === path) return [message];
    const line = at.startsWith(`${path}.`) ? Number(at.slice(path.length + 1)) : Number.NaN;
    return Number.isInteger(line) ? [`Line ${line + 1}: ${message}.`] : [];
  });
  return found.length === 0 ? undefined : found.join(' ');
}
