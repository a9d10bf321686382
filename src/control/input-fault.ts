// Faults of input: all of them at once, each with its path.

import type { z } from '@hono/zod-openapi';
import { ServiceError } from '../domain/service-error.ts';

/** `path` is written with dots (`oauthEmailAddressPatterns.0`), and empty for the input as a whole. */
export type InputFault = { readonly path: string; readonly message: string };

/** `validation_failed` with every fault in `faults`. */
export function inputRefused(faults: readonly InputFault[], hint?: string): ServiceError {
  const shown = faults.slice(0, MAX_FAULTS);
  const first = shown[0];
  const where = first === undefined || first.path === '' ? '' : `${first.path}: `;
  const others = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  return new ServiceError(
    'validation_failed',
    `Cannot accept the input: ${where}${first?.message ?? 'it is not valid'}${others}`,
    { extra: { faults: shown }, ...(hint === undefined ? {} : { hint }) },
  );
}

/** An error of `inputRefused()` about what is a part of the input; any other error as it is. */
export function faultsBelow(path: string, error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'validation_failed') return error;
  const faults = error.extra['faults'];
  if (!Array.isArray(faults)) return error;
  return inputRefused(
    (faults as readonly InputFault[]).map((fault) => ({
      path: `${path}.${fault.path}`,
      message: fault.message,
    })),
    error.hint ?? undefined,
  );
}

/** What the schema found wrong, an unknown field under its own path. */
export function schemaFaults(issues: readonly z.core.$ZodIssue[]): readonly InputFault[] {
  return issues.flatMap((issue): InputFault[] => {
    if (issue.code !== 'unrecognized_keys') return [{ path: pathOf(issue.path), message: issue.message }];
    return issue.keys.map((key) => ({
      path: pathOf([...issue.path, key]),
      message: 'there is no such field',
    }));
  });
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, MAX_PATH_LENGTH);
}

/** Enough to mend an input with; an answer is never much longer than what was sent. */
const MAX_FAULTS = 50;
const MAX_PATH_LENGTH = 200;
