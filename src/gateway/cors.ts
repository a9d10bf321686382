// Pages of other origins that a share allows (`--allow-origin`). A preflight carries no session, so the gate
// answers it; on other answers the gate alone says who may read them (Fetch standard, "CORS protocol").

import type { Share } from '../domain/share.ts';
import type { Answer } from '../http/answer.ts';
import type { HeadFacts } from './head-facts.ts';

/** The origin whose page may read the answer; null when the share leaves CORS to its backend. */
export function allowedOrigin(share: Share, origin: string | null): string | null {
  if (origin === null || share.login === null) return null;
  return share.allowOrigins.includes(origin) ? origin : null;
}

/** Null when it is no preflight of an allowed origin. */
export function preflightAnswer(method: string, origin: string | null, facts: HeadFacts): Answer | null {
  if (method !== 'OPTIONS' || origin === null || facts.corsMethod === null) return null;
  return {
    status: 204,
    headers: [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Credentials', 'true'],
      ['Access-Control-Allow-Methods', facts.corsMethod],
      ...(facts.corsHeaders === null ? [] : ([['Access-Control-Allow-Headers', facts.corsHeaders]] as const)),
      ['Access-Control-Max-Age', String(PREFLIGHT_SECONDS)],
      ['Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'],
    ],
    body: null,
  };
}

/** Puts the gate's word in place of the backend's. `headers` is flat; answers a new list. */
export function withCors(headers: readonly string[], origin: string): string[] {
  const out: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const lower = headers[index]!.toLowerCase();
    if (lower === 'access-control-allow-origin' || lower === 'access-control-allow-credentials') continue;
    out.push(headers[index]!, headers[index + 1]!);
  }
  out.push(
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Allow-Credentials',
    'true',
    'Vary',
    'Origin',
  );
  return out;
}

/** A change of `--allow-origin` reaches browsers within ten minutes. */
const PREFLIGHT_SECONDS = 600;
