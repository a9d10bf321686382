// Members and invitations as the control API shows and takes them (DESIGN 2.5). Times are RFC 3339.

import type { Role } from '../domain/role.ts';

export type MemberObject = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  /** `invited` until the first login. */
  readonly state: 'invited' | 'active';
  /** What the first login was made with; from then on no other is the member's. Null until then. */
  readonly provider: string | null;
  readonly createdAt: string;
  readonly lastLoginAt: string | null;
  /** When the open invitation is over; null when none is open. */
  readonly invitedUntil: string | null;
};

export type MemberPage = {
  readonly items: readonly MemberObject[];
  readonly nextCursor: string | null;
  /** Of the first page: how many there are, counted to 1,001. */
  readonly total?: number | null | undefined;
};

export type NewMember = {
  readonly email: string;
  /** `member` unless said. */
  readonly role?: Role | undefined;
} & InvitationInput;

export type InvitationInput = {
  /** How long the invitation is good for (`7d` unless said, at most `30d`). */
  readonly expiresIn?: string | undefined;
};

/** The invitation is shown this once. */
export type InvitedMember = {
  readonly member: MemberObject;
  readonly invitation: {
    readonly token: string;
    /** Where it is accepted, in a browser. */
    readonly url: string;
    readonly expiresAt: string;
  };
};

export type AccountObject = { readonly id: string; readonly name: string; readonly createdAt: string };
