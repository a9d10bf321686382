// The answers that operations share, as the API's description tells them.

import { z } from '@hono/zod-openapi';
import { FAULTS, type FaultCode } from '../domain/service-error.ts';

/** RFC 9457, with a stable `code`. */
export const problemSchema = z
  .object({
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string().openapi({ description: 'A stable code. The reference of errors lists all codes.' }),
    request_id: z.string(),
    hint: z.string().optional(),
    faults: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: 'With `validation_failed`: each invalid field, with its path.' }),
    retryAfterSeconds: z.number().optional(),
    allow: z.string().optional().openapi({ description: 'With `method_not_allowed`: the allowed methods.' }),
    shares: z
      .array(z.string())
      .optional()
      .openapi({ description: 'With `provider_in_use`: the names of the shares that use it.' }),
    stored: z
      .boolean()
      .optional()
      .openapi({ description: 'True if the change is stored but not confirmed to be live yet.' }),
  })
  .openapi('Problem');

/** The problem answers of an operation, for the codes it can give beside those of every operation. */
export function problems(...codes: readonly FaultCode[]): Record<number, ProblemAnswer> {
  const answers: Record<number, ProblemAnswer> = {};
  const byStatus = Map.groupBy([...EVERYWHERE, ...codes], (code) => FAULTS[code].status);
  for (const [status, group] of byStatus)
    answers[status] = {
      description: group.map((code) => `\`${code}\`: ${FAULTS[code].title}`).join('; '),
      content: { 'application/problem+json': { schema: problemSchema } },
    };
  return answers;
}

type ProblemAnswer = {
  readonly description: string;
  readonly content: { readonly 'application/problem+json': { readonly schema: typeof problemSchema } };
};

export const etagHeader = {
  ETag: {
    description: 'The version of the resource. Send it as If-Match to change only this version.',
    schema: { type: 'string' },
  },
} as const;

export const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'Makes the change only if the resource still has this version.',
  schema: { type: 'string' },
} as const;

const EVERYWHERE = [
  'bad_request',
  'api_key_missing',
  'api_key_invalid',
  'login_required',
  'foreign_origin',
  'misdirected',
  'certificate_required',
  'certificate_foreign',
  'certificate_revoked',
  'certificate_not_yet_valid',
  'certificate_expired',
  'certificate_unfit',
  'not_allowed',
  'account_changed',
  'validation_failed',
  'rate_limited',
  'store_unavailable',
] as const;
