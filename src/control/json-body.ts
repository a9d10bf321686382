// What may be sent as a body: JSON in UTF-8 (RFC 8259), and not much of it.

import type { Context, HonoRequest } from 'hono';
import { ServiceError } from '../domain/service-error.ts';
import type { ControlEnv } from './control-deps.ts';

/**
 * Throws `unsupported_media_type`, `body_too_large` or `bad_request`, for methods that carry a body. `allow`
 * throws for a body of so many bytes that is not to be parsed.
 */
export async function checkJsonBody(
  { req: request, env }: Context<ControlEnv>,
  allow: (bytes: number) => void = () => undefined,
): Promise<void> {
  if (request.method !== 'POST' && request.method !== 'PATCH') return;
  requireJson(request);
  const body = env.body ?? (await request.arrayBuffer());
  const most = bodyLimit(request.method, request.path);
  if (body.byteLength > most) throw bodyTooLarge(most);
  allow(body.byteLength);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    JSON.parse(text);
    // Hono would make the text again, by way of a whole answer and its stream.
    Object.assign(request.bodyCache, { text: Promise.resolve(text) });
  } catch (cause) {
    throw new ServiceError('bad_request', 'Cannot read the body: it is not JSON in UTF-8', { cause });
  }
}

/** Throws `unsupported_media_type`. */
export function requireJson(request: HonoRequest): void {
  if (!JSON_TYPE.test(request.header('content-type') ?? ''))
    throw new ServiceError('unsupported_media_type', 'Cannot read the body: it is not sent as JSON', {
      hint: 'Send "Content-Type: application/json".',
    });
}

export function bodyTooLarge(most: number): ServiceError {
  return new ServiceError('body_too_large', `Cannot read the body: it has more than ${most / 1024} KiB`);
}

/** How many bytes a body may have. */
export function bodyLimit(method: string, path: string): number {
  return method === 'POST' && path === APPLY_PATH ? MAX_STATE_BYTES : MAX_BODY_BYTES;
}

/** Takes the state of an account, with everything in it. */
export const APPLY_PATH = '/v1/apply';
/** Thousands of shares with rules. Read for whoever may call, and for nobody else. */
const MAX_STATE_BYTES = 4 * 1024 * 1024;

/** A share with every list full takes less than half of it. */
export const MAX_BODY_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;
