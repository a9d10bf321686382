// Who can be tried out: ready-made people, and anybody whose address is typed.

export type Person = {
  readonly email: string;
  readonly name: string;
  /** True unless said: what the provider claims as `email_verified`. */
  readonly emailVerified?: boolean;
  /** A word about what trying this person shows. */
  readonly note?: string;
};

export const PEOPLE: readonly Person[] = [
  { email: 'ada@example.com', name: 'Ada Lovelace' },
  { email: 'grace@example.com', name: 'Grace Hopper' },
  { email: 'someone@elsewhere.test', name: 'Someone Else', note: 'from another organization' },
  {
    email: 'unverified@example.com',
    name: 'Nora Newcomer',
    emailVerified: false,
    note: 'email address not verified',
  },
];

/** The ready-made person of an address, or a new one. Null for what no provider would call an address. */
export function findPerson(people: readonly Person[], typed: string): Person | null {
  const email = typed.trim().toLowerCase();
  const known = people.find((person) => person.email === email);
  if (known !== undefined) return known;
  if (email.length > MAX_EMAIL_LENGTH || !/^[\x21-\x7E]+@[\x21-\x7E]+$/.test(email)) return null;
  return { email, name: email.slice(0, email.indexOf('@')) };
}

// RFC 5321 section 4.5.3.1.3: a path is at most 256 octets, its angle brackets included.
const MAX_EMAIL_LENGTH = 254;
