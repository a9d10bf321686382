// What gateways post to each other about watched requests, as text that fits a post: which shares are
// watched, and what happened there. What another version writes and this one does not understand is nothing.

import { z } from '@hono/zod-openapi';
import type { ShareId } from '../../../domain/id.ts';
import type { RequestBatch, ShareRequest } from '../../../domain/share-request.ts';
import { MAX_POST_BYTES } from '../../../store/bulletin.ts';

export type Post =
  | { readonly kind: 'watch'; readonly shares: readonly ShareId[] }
  | { readonly kind: 'batch'; readonly batch: RequestBatch };

/** None for no shares. */
export function watchTexts(shares: readonly ShareId[]): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < shares.length; at += SHARES_A_POST)
    texts.push(JSON.stringify({ kind: 'watch', shares: shares.slice(at, at + SHARES_A_POST) }));
  return texts;
}

/** `count`: how many requests it tells, those that were skipped among them. */
export type BatchText = { readonly text: string; readonly count: number };

/** The skipped ones are told with the last text; there is always one. */
export function batchTexts({ shareId, requests, skipped }: RequestBatch): readonly BatchText[] {
  const texts: BatchText[] = [];
  let some: ShareRequest[] = [];
  let bytes = 0;
  const close = (skippedToo: number) => {
    const batch: RequestBatch = { shareId, requests: some, skipped: skippedToo };
    texts.push({ text: JSON.stringify({ kind: 'batch', batch }), count: some.length + skippedToo });
    some = [];
    bytes = 0;
  };
  for (const request of requests) {
    const length = Buffer.byteLength(JSON.stringify(request)) + 1;
    if (bytes + length > REQUEST_BYTES && some.length > 0) close(0);
    some.push(request);
    bytes += length;
  }
  close(skipped);
  return texts;
}

/** Null for what is none. */
export function readPost(text: string): Post | null {
  try {
    return postSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const shareId = z.templateLiteral([z.literal('shr_'), z.string()]);
const requestSchema = z.object({
  requestId: z.string(),
  at: z.number(),
  method: z.string(),
  path: z.string(),
  status: z.number().nullable(),
  // A gateway of the version before says nothing of it.
  authorized: z.boolean().default(false),
  durationMs: z.number(),
  who: z.string().nullable(),
  reason: z.string().nullable(),
  aborted: z.boolean(),
  address: z.string(),
});
const postSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('watch'), shares: z.array(shareId) }),
  z.object({
    kind: z.literal('batch'),
    batch: z.object({ shareId, requests: z.array(requestSchema), skipped: z.number() }),
  }),
]) satisfies z.ZodType<Post>;
/** An id has 30 characters. */
const SHARES_A_POST = 200;
/** Less what stands around them. */
const REQUEST_BYTES = MAX_POST_BYTES - 200;
