// The schemas of accounts, members and invitations, and stored members as the API shows them (DESIGN 2.5).

import { z } from '@hono/zod-openapi';
import type {
  AccountObject,
  InvitationInput,
  InvitedMember,
  MemberObject,
  MemberPage,
  NewMember,
} from '../../wire/member.ts';
import { ROLES } from '../../domain/role.ts';
import { shortHash } from '../../domain/secret.ts';
import type { MemberRow } from '../../store/people/people.ts';
import type { Versioned } from '../etag.ts';
import { totalSchema } from '../sorting.ts';
import { DURATION } from '../text-patterns.ts';
import { timeOrNull, timeText } from '../time-text.ts';

/** Longer than any address or duration. */
const text = z.string().max(300);

const expiresIn = text.optional().openapi({
  pattern: DURATION,
  description: 'How long the invitation is valid. Default 7d, at most 30d.',
  example: '7d',
});

const role = z.enum(ROLES).openapi({
  description:
    'An admin can do everything in the account. An auditor reads what an admin reads, and changes nothing.',
});

export const newMemberSchema = z
  .strictObject({
    email: text.openapi({
      description: 'The email address that the member logs in with.',
      example: 'ann@example.com',
    }),
    role: role.optional(),
    expiresIn,
  })
  .openapi('NewMember') satisfies z.ZodType<NewMember>;

export const invitationInputSchema = z
  .strictObject({ expiresIn })
  .openapi('InvitationInput') satisfies z.ZodType<InvitationInput>;

export const memberChangesSchema = z.strictObject({ role }).openapi('MemberChanges');

/** Also for answers in which a member may be missing. */
export const memberFields = {
  id: z.string().openapi({ example: 'mem_01jd3b2v9k6w8y4n5q7r0t1s2x' }),
  email: z.string(),
  role,
  state: z.enum(['invited', 'active']).openapi({ description: '`invited` until the first login.' }),
  provider: z.string().nullable().openapi({
    description: 'The provider of the first login, which the member is bound to.',
  }),
  createdAt: z.iso.datetime(),
  lastLoginAt: z.iso.datetime().nullable(),
  invitedUntil: z.iso.datetime().nullable().openapi({ description: 'When the open invitation expires.' }),
};

export const memberSchema = z.object(memberFields).openapi('Member') satisfies z.ZodType<MemberObject>;

export const memberPageSchema = z
  .object({ items: z.array(memberSchema), nextCursor: z.string().nullable(), total: totalSchema })
  .openapi('MemberPage') satisfies z.ZodType<MemberPage>;

export const invitedMemberSchema = z
  .object({
    member: memberSchema,
    invitation: z.object({
      token: z.string().openapi({ description: 'Shown only once, and valid for one login.' }),
      url: z.string().openapi({ description: 'The page where the member accepts the invitation.' }),
      expiresAt: z.iso.datetime(),
    }),
  })
  .openapi('InvitedMember') satisfies z.ZodType<InvitedMember>;

export const accountSchema = z
  .object({ id: z.string(), name: z.string(), createdAt: z.iso.datetime() })
  .openapi('Account') satisfies z.ZodType<AccountObject>;

export const memberParamsSchema = z.strictObject({
  member: text.openapi({
    param: { name: 'member', in: 'path' },
    description: 'Id or email address.',
    example: 'ann@example.com',
  }),
});

/**
 * For the ETag: all that is kept of the member but the last login, so that a change of role, a first login or
 * a new invitation makes it another, and a mere login does not.
 */
export function memberVersion(row: MemberRow): Versioned {
  const { login, acceptedAt, invitedUntil } = row;
  const kept = [row.email, row.role, login?.provider, login?.generation, login?.subject];
  return {
    id: row.id,
    name: row.email,
    version: shortHash(JSON.stringify([...kept, acceptedAt, invitedUntil])),
  };
}

export function memberObject(row: MemberRow): MemberObject {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    state: row.acceptedAt === null ? 'invited' : 'active',
    provider: row.login?.provider ?? null,
    createdAt: timeText(row.createdAt),
    lastLoginAt: timeOrNull(row.lastLoginAt),
    invitedUntil: timeOrNull(row.invitedUntil),
  };
}
