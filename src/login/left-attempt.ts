// What stays in the browser of an attempt that had to leave (DESIGN "Attempts"): what it was for, so that its
// tab can say what happened and where to start again. Nothing in it could complete a login, and it is sealed
// as another kind.

import type { AttemptId } from '../domain/id.ts';
import { readTarget, targetFields } from './attempt-target.ts';
import type { AttemptTarget } from './login-target.ts';
import { idField, numberField, readRecord } from './record.ts';
import { boundedReturnUrl } from './return-url.ts';
import type { Seal } from './seal.ts';

export type LeftAttempt = {
  readonly id: AttemptId;
  /** When the attempt would have ended, in milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly left: AttemptTarget;
};

type Leaving = { readonly id: AttemptId; readonly expiresAt: number } & (
  | { readonly target: AttemptTarget }
  | { readonly left: AttemptTarget }
);

export function sealLeft(seal: Seal, leaving: Leaving): string {
  const content = Buffer.concat([
    numberField(VERSION, 1),
    idField(leaving.id),
    numberField(leaving.expiresAt, MILLISECONDS_BYTES),
    targetFields(shortened('left' in leaving ? leaving.left : leaving.target)),
  ]);
  return seal.seal('left-attempt', content);
}

/** Null when it is no such note of ours. Never throws. */
export function openLeft(seal: Seal, sealed: string): LeftAttempt | null {
  const content = seal.open('left-attempt', sealed);
  if (content === null) return null;
  return readRecord(content, (reader): LeftAttempt => {
    if (reader.number(1) !== VERSION) return reader.malformed();
    return {
      id: reader.id('att'),
      expiresAt: reader.number(MILLISECONDS_BYTES),
      left: readTarget(reader),
    };
  });
}

function shortened(target: AttemptTarget): AttemptTarget {
  if (target === null || 'kind' in target) return target;
  const returnUrl = boundedReturnUrl(target.returnUrl, MAX_LEFT_URL_BYTES);
  return { ...target, bindingHash: null, returnUrl };
}

const VERSION = 1;
const MILLISECONDS_BYTES = 6;
/** Most addresses of pages are shorter; with it a note stays below 500 bytes, six of them below 3 KB. */
const MAX_LEFT_URL_BYTES = 160;
