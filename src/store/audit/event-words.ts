// What an audit event is found by: who, from where, what was told of it, and what changed.

import type { AuditChange } from '../../domain/audit-change.ts';
import type { AuditEvent } from '../../domain/audit-event.ts';
import { wordsOf } from '../search/words.ts';

/** `shareName` of its share, where that is still there. */
export function eventWords(event: AuditEvent, shareName: string | null): readonly string[] {
  const { kind, provider, email, actor, ip, requestId, reason, rule, changes } = event;
  const texts = [email, actor, ip, shareName, provider, kind, requestId, reason, rule].join(' ');
  return [...new Set([...wordsOf(texts), ...wordsOf(changedText(changes), MOST_OF_CHANGES)])];
}

/** Each part is in one of the event's words: as words of an index are found, without one. */
export function hasParts(words: readonly string[], parts: readonly string[]): boolean {
  return parts.every((part) => words.some((word) => word.includes(part)));
}

function changedText(changes: AuditChange | undefined): string {
  if (changes === undefined) return '';
  return [...changes.secrets, ...textsIn(changes.before), ...textsIn(changes.after)].join(' ');
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
