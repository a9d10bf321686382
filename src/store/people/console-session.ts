// Sessions at the control plane, as the rooms above see them: of a member, of an API key, or of a person who
// is no member and may look after their own things alone. All are found by the SHA-256 of one kind of cookie.

import type { AccountId, ApiKeyId } from '../../domain/id.ts';
import type { Candidate, MemberLogin, Person } from '../../domain/member-match.ts';
import type { Role } from '../../domain/role.ts';
import type { ConsoleEntry, ConsoleLogin, KnownApiKey, MemberRow } from './people.ts';

export type ConsoleSession = MemberSession | KeySession | VisitorSession;

export type MemberSession = {
  readonly kind: 'member';
  readonly member: MemberRow;
  readonly accountName: string;
  readonly accountSuspended: boolean;
  /** What it was begun with: it is over when that provider is another by now. */
  readonly provider: string;
  readonly generation: string;
  /** Who logged in, as the provider said it then. Null for a session that was begun before that was kept. */
  readonly person: Person | null;
  readonly expiresAt: number;
};

export type KeySession = {
  readonly kind: 'key';
  /** As it is now. One that is deleted has no sessions. */
  readonly key: KnownApiKey;
  readonly accountName: string;
  /** Never later than the key's. */
  readonly expiresAt: number;
};

export type VisitorSession = {
  readonly kind: 'visitor';
  readonly person: Person;
  /**
   * The account that defined the provider, whose word counts there alone; null for one of the configuration.
   */
  readonly within: AccountId | null;
  readonly expiresAt: number;
};

/** What every session begins with. */
type Beginning = {
  /** SHA-256 of the session's token, hex. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly ip: string | null;
  /** The session that this browser had before, of whatever kind; it ends. */
  readonly replaces: string | null;
};

export type NewKeySession = Beginning & { readonly keyId: ApiKeyId };

/**
 * `person` as the provider said it, which is kept; `vouched`: whether certificates that say the address are
 * theirs.
 */
export type NewVisitorSession = Beginning &
  Pick<VisitorSession, 'person' | 'within'> & {
    readonly vouched: boolean;
    /** It begins even where nothing here is theirs. */
    readonly mayHoldNothing?: boolean;
  };

/** `accessEnded`: an admin there ended all access of the person since the login. */
export type MemberLike = Candidate & { readonly role: Role; readonly accessEnded: boolean };

export interface ConsoleSessionTable {
  /**
   * One transaction: finds the member (`matchMember`), binds who logs in for the first time, begins the
   * session. Throws `access_ended` when the member's access was ended after the login set out,
   * `invitation_invalid` when the invitation was used or replaced meanwhile, and `login_required` when the
   * session that it goes on from has ended.
   */
  begin(login: ConsoleLogin): Promise<ConsoleEntry>;
  /**
   * Members of all accounts who may be the person, as `Candidate` says, by the name of the account. Those of
   * suspended accounts are left out. The login of the person set out at most `ageMs` ago.
   */
  membersLike(person: MemberLogin & Pick<Person, 'email'>, ageMs: number): Promise<readonly MemberLike[]>;
  /** Throws `api_key_invalid` when the key was deleted meanwhile. */
  beginWithKey(login: NewKeySession): Promise<void>;
  /**
   * False, and nothing is done, when nothing here is the person's: no session that lives, and no certificate;
   * unless `mayHoldNothing`.
   */
  beginVisit(login: NewVisitorSession): Promise<boolean>;
  /** Null when it never was, has ended or is expired. */
  find(hash: string): Promise<ConsoleSession | null>;
  /** False when there was none. */
  end(hash: string): Promise<boolean>;
}
