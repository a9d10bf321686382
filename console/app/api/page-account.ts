// Of which account this page is, which each of its calls says: the browser may change to another account in
// another tab, and what was decided here must not happen there.

let account: string | null = null;

/** Whoever is there first stays; null when nobody is logged in any more. */
export function pageIsOf(id: string | null): void {
  account = id === null ? null : (account ?? (id === '' ? NONE : id));
}

/** Whether the browser is of that account still. */
export function isOfPage(id: string): boolean {
  return account === null || account === (id === '' ? NONE : id);
}

export function accountHeader(): Readonly<Record<string, string>> {
  return account === null ? {} : { 'doorward-account': account };
}

/** Told when the service refuses a call since the browser is of another account by now. */
export const ACCOUNT_CHANGED = 'doorward-account-changed';

/** Of a person who is no member. */
const NONE = 'none';
