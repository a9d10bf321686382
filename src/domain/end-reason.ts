// Why a session ended, where somebody said that it should: the words that the record and the audit have for
// it.

export const LOGGED_OUT = 'logout';
export const ENDED_BY_ADMIN = 'ended_by_admin';
export const ENDED_BY_PERSON = 'ended_by_person';

/** Whether a person or an administrator meant this very session. */
export function isMeant(endReason: string | null): boolean {
  return endReason === LOGGED_OUT || endReason === ENDED_BY_ADMIN || endReason === ENDED_BY_PERSON;
}
