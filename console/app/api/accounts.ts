// The accounts of the person who is logged in, and the change to another.

export type OwnAccount = {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly isCurrent: boolean;
  /** Otherwise the login of now is enough. */
  readonly needsLogin: boolean;
  /** Where to log in to it. */
  readonly login: string;
};

export async function readAccounts(): Promise<readonly OwnAccount[]> {
  const response = await fetch('/auth/accounts', { credentials: 'same-origin', cache: 'no-store' });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return ((await response.json()) as { readonly accounts: readonly OwnAccount[] }).accounts;
}

/** Throws when the service did not take it. */
export async function changeAccount(id: string): Promise<void> {
  const { ok } = await fetch('/auth/account', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: id }),
    credentials: 'same-origin',
  });
  if (!ok) throw new Error('Cannot change the account: the service did not take it');
}
