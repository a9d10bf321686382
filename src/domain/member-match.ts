// Which member a person is who logged in at a provider (DESIGN "Who may use which provider"). The first login
// binds the member to provider and subject; from then on nobody else is that member, whatever address they
// have. Pure.

import { comparableAddress } from './email-address.ts';
import type { AccountId, MemberId } from './id.ts';

/** A person as a provider describes them. */
export type Person = {
  readonly provider: string;
  /** `ProviderRef.generation`: under another issuer or client the same subject may be somebody else. */
  readonly generation: string;
  readonly subject: string;
  readonly email: string;
  /**
   * Whether the provider called the address verified. Where a person is looked for: whether it counts as
   * theirs by that.
   */
  readonly emailVerified: boolean;
};

export type MemberLogin = Pick<Person, 'provider' | 'generation' | 'subject'>;

/** A member who may be that person: same address, same login, or the one that an invitation is for. */
export type Candidate = {
  readonly id: MemberId;
  readonly accountId: AccountId;
  readonly accountName: string;
  readonly email: string;
  /** Null until the first login. */
  readonly login: MemberLogin | null;
};

export type Match =
  /** `accepts`: this login is the one that the member is bound to from now on. */
  | { readonly kind: 'member'; readonly member: Candidate; readonly accepts: boolean }
  /** The person is a member of several accounts. */
  | { readonly kind: 'choice'; readonly members: readonly Candidate[] }
  | { readonly kind: 'nobody'; readonly reason: Refusal };

export type Refusal =
  | 'not_a_member'
  /** The address is a member's who has logged in before, and it was another login. */
  | 'other_login'
  /** The invitation is for another address. */
  | 'other_email'
  /** Without an invitation at hand, an address counts only when the provider vouches for it. */
  | 'email_unverified';

/** `invited` is the member whose invitation the person holds, null without one. */
export function matchMember(
  person: Person,
  candidates: readonly Candidate[],
  invited: MemberId | null,
): Match {
  const bound = candidates.filter(({ login }) => isLoginOf(login, person));
  if (invited !== null)
    return matchInvited(
      person,
      bound,
      candidates.find(({ id }) => id === invited),
    );
  const accounts = new Set(bound.map(({ accountId }) => accountId));
  const pending = candidates.filter(
    ({ login, email, accountId }) =>
      login === null && isSameAddress(email, person.email) && !accounts.has(accountId),
  );
  const members = [...bound, ...(person.emailVerified ? pending : [])];
  const [member, ...others] = members;
  if (member === undefined)
    return nobody(pending.length > 0 ? 'email_unverified' : whyNot(person, candidates));
  if (others.length > 0) return { kind: 'choice', members };
  return { kind: 'member', member, accepts: member.login === null };
}

/** How somebody who is logged in to one account gets into another that they are a member of. */
export type WayInto =
  /** Bound to this very login: their session goes on there. */
  | { readonly kind: 'bound' }
  /** By a login at this provider. */
  | { readonly kind: 'login'; readonly provider: string };

/** Null for a member who is somebody else, whatever their address. */
export function wayInto(
  person: Person,
  { login, email }: Pick<Candidate, 'login' | 'email'>,
): WayInto | null {
  if (isLoginOf(login, person)) return { kind: 'bound' };
  if (!person.emailVerified || !isSameAddress(email, person.email)) return null;
  if (login === null) return { kind: 'login', provider: person.provider };
  return login.provider === person.provider ? null : { kind: 'login', provider: login.provider };
}

function matchInvited(person: Person, bound: readonly Candidate[], member: Candidate | undefined): Match {
  if (member === undefined) return nobody('not_a_member');
  if (!isSameAddress(member.email, person.email)) return nobody('other_email');
  // One login is one member of an account.
  if (bound.some(({ id, accountId }) => accountId === member.accountId && id !== member.id))
    return nobody('other_login');
  return { kind: 'member', member, accepts: true };
}

function whyNot(person: Person, candidates: readonly Candidate[]): Refusal {
  return candidates.some(({ email }) => isSameAddress(email, person.email)) ? 'other_login' : 'not_a_member';
}

function nobody(reason: Refusal): Match {
  return { kind: 'nobody', reason };
}

function isLoginOf(login: MemberLogin | null, { provider, generation, subject }: Person): boolean {
  return login?.provider === provider && login.generation === generation && login.subject === subject;
}

/**
 * Compared as the patterns compare them: without regard to case, nor to how what is beyond ASCII is written.
 */
export function isSameAddress(a: string, b: string): boolean {
  return comparableAddress(a) === comparableAddress(b);
}
