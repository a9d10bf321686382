// A fresh invitation: what is kept of it, and what is shown of it once.

import type { InvitedMember } from '../../wire/member.ts';
import { parseDuration } from '../../domain/duration.ts';
import { newId } from '../../domain/id.ts';
import { newInvitationToken } from '../../domain/invitation-token.ts';
import { secretHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { NewInvitation } from '../../store/people/people.ts';
import { INVITATION_PATH } from '../console/invitation-page.ts';
import type { ControlDeps } from '../control-deps.ts';
import { inputRefused } from '../input-fault.ts';
import { timeText } from '../time-text.ts';

export type Invitation = { readonly kept: NewInvitation; readonly shown: InvitedMember['invitation'] };

/** Throws `validation_failed` for a duration that is none, or too long. */
export function newInvitation(
  { now, settings }: Pick<ControlDeps, 'now' | 'settings'>,
  expiresIn: string | undefined,
): Invitation {
  const token = newInvitationToken();
  const createdAt = now();
  const expiresAt = createdAt + lifetimeOf(expiresIn, MAX_LIFETIME_MS);
  const url = new URL(INVITATION_PATH, settings().console.publicUrl);
  // No server is told of a fragment, so that no log and no Referer has it.
  url.hash = token.reveal();
  return {
    kept: { id: newId('inv'), hash: secretHash(token), createdAt, expiresAt },
    shown: { token: token.reveal(), url: url.href, expiresAt: timeText(expiresAt) },
  };
}

function lifetimeOf(text: string | undefined, mostMs: number): number {
  if (text === undefined) return DEFAULT_LIFETIME_MS;
  const lifetimeMs = parseLifetime(text);
  if (lifetimeMs > mostMs) throw inputRefused([{ path: 'expiresIn', message: 'at most 30d' }]);
  return lifetimeMs;
}

/** `expiresIn` of any input. Throws `validation_failed`. */
export function parseLifetime(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw inputRefused([{ path: 'expiresIn', message: error.message }]);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Time for somebody who is away this week. */
const DEFAULT_LIFETIME_MS = 7 * DAY_MS;
/** It lies in a mailbox until it is used. */
const MAX_LIFETIME_MS = 30 * DAY_MS;
