// What an audit event is found by: who, from where, what was told of it, and what changed.

import type { AuditChange } from '../../domain/audit-change.ts';
import type { AuditEvent } from '../../domain/audit-event.ts';
import { wordsOf } from '../search/words.ts';

/** `shareName` of its share, where that is still there. */
export function eventWords(event: AuditEvent, shareName: string | null): readonly string[] {
  const [told, changed] = textsOf(event, shareName);
  return [...new Set([...wordsOf(told), ...wordsOf(changed, MOST_OF_CHANGES)])];
}

/** Each part is in one of the event's words: as words of an index are found, without one. */
export function hasParts(event: AuditEvent, shareName: string | null, parts: readonly string[]): boolean {
  const text = textsOf(event, shareName).join(' ').toWellFormed().toLowerCase();
  // Most of those that are read do not have it: their words are not made.
  if (!parts.every((part) => text.includes(part))) return false;
  const words = eventWords(event, shareName);
  return parts.every((part) => words.some((word) => word.includes(part)));
}

function textsOf(event: AuditEvent, shareName: string | null): readonly [told: string, changed: string] {
  const { kind, provider, email, actor, ip, requestId, reason, rule, changes } = event;
  // What kind of actor it was is also found by any part of it.
  const told = [
    email,
    actor,
    actor?.split(':', 1)[0],
    ip,
    shareName,
    provider,
    kind,
    requestId,
    reason,
    rule,
  ];
  return [told.join(' '), changedText(changes)];
}

function changedText(changes: AuditChange | undefined): string {
  if (changes === undefined) return '';
  const texts = [...changes.secrets, ...textsIn(changes.before), ...textsIn(changes.after)];
  return texts.join(' ').slice(0, MOST_CHARACTERS);
}

/** Of fields, their names too. */
function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value === 'object' && value !== null)
    return [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
  return value === null || value === undefined ? [] : [String(value)];
}

/** A change of hundreds of rules is found by the first of them. */
const MOST_OF_CHANGES = 100;
/** Each is a row of the index: one change of long random words must not make thousands of them. */
const MOST_CHARACTERS = 2_000;
