// POST /v1/shares/{share}/test: whether an address would get in at a share now, and why: the gate's own
// decision. Nothing is changed, nobody is asked.

import { z } from '@hono/zod-openapi';
import type { ShareTest } from '../../wire/share-test.ts';
import { ADMISSION_REASONS, wouldLetIn, type WouldLetIn } from '../../domain/would-let-in.ts';
import type { Share } from '../../domain/share.ts';
import { problems } from '../answers.ts';
import { createCallBudget } from '../call-budget.ts';
import { operation } from '../operation.ts';
import { shareParamsSchema } from './schema.ts';
import { routedShare } from './view.ts';
import { findShare } from './find.ts';

const shareTestInputSchema = z
  .strictObject({ email: z.string().min(1).max(300).openapi({ example: 'ann@example.com' }) })
  .openapi('ShareTestInput');

const shareTestSchema = z
  .object({
    share: z.string().openapi({ description: 'Its name.' }),
    email: z.string(),
    allowed: z.boolean(),
    reason: z.enum(ADMISSION_REASONS).openapi({ description: 'A stable code.' }),
    detail: z.string().openapi({ description: 'The reason in words.' }),
    provider: z
      .string()
      .nullable()
      .openapi({ description: 'What people log in with; null without a login.' }),
    pattern: z
      .string()
      .nullable()
      .openapi({ description: 'The share’s pattern that matches; null when none does, or none is needed.' }),
    providerPattern: z.string().nullable().openapi({ description: 'The same of the provider’s definition.' }),
    certificate: z.enum(['none', 'needed', 'enough']).openapi({
      description:
        'Whether a client certificate is not asked for, or needed as well, or enough without the login.',
    }),
    needsVerifiedEmail: z.boolean().openapi({
      description:
        'Whether the provider must say that the address is verified. One that it denies never gets in.',
    }),
  })
  .openapi('ShareTest') satisfies z.ZodType<ShareTest>;

export const testShare = operation({
  needs: 'shares.read',
  route: {
    method: 'post',
    path: '/v1/shares/{share}/test',
    operationId: 'testShare',
    summary: 'Ask whether an address would get in',
    description: 'Tells whether a person with that email address would get in, and why. Nobody is logged in.',
    request: {
      params: shareParamsSchema,
      body: { required: true, content: { 'application/json': { schema: shareTestInputSchema } } },
    },
    responses: {
      200: {
        description: 'Whether it would, and why.',
        content: { 'application/json': { schema: shareTestSchema } },
      },
      ...problems('share_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => {
    const countTest = createCallBudget(deps.now, {
      perMinute: () => TESTS_PER_MINUTE,
      of: 'tests',
      hint: 'Test fewer addresses a minute.',
    });
    return async (c) => {
      const { email } = c.req.valid('json');
      const { accountId } = c.get('caller');
      countTest(accountId);
      const { shareBase, cookieDomain, providersOf, console } = deps.settings();
      const row = await findShare(deps.store.shares, accountId, c.req.valid('param').share);
      const providers = providersOf(accountId);
      const share = routedShare(
        row,
        { base: shareBase, cookieDomain },
        (name) => providers.find((provider) => provider.name === name) ?? null,
      );
      const found = wouldLetIn(share, email, deps.now());
      const provider = share.login?.providerName ?? null;
      const answer: ShareTest = {
        ...found,
        share: share.name,
        email,
        provider,
        detail: detailOf(share, found) + certificateDetail(share, found),
        needsVerifiedEmail: provider !== null && console.findProvider(provider)?.verifiesEmail === true,
      };
      return c.json(shareTestSchema.parse(answer), 200);
    };
  },
});

function certificateDetail({ clientCertificate }: Share, { reason, certificate }: WouldLetIn): string {
  if (clientCertificate === null || reason === 'share_disabled') return '';
  const { subject, unit } = clientCertificate;
  const which = [
    'a client certificate of the account',
    ...(subject === null ? [] : [`named ${subject}`]),
    ...(unit === null ? [] : [`of unit ${unit}`]),
  ].join(' ');
  if (certificate === 'enough') return `; ${which} is enough without a login`;
  return reason === 'certificate_alone' ? `: whoever has ${which} gets in` : `; ${which} is needed, too`;
}

function detailOf({ login }: Share, { reason, pattern, providerPattern }: WouldLetIn): string {
  const provider = login?.providerName ?? '';
  switch (reason) {
    case 'no_login':
      return 'the share has no login: anybody gets in';
    case 'certificate_alone':
      return 'the share has no login';
    case 'any_address':
      return `whoever logs in with ${provider} gets in`;
    case 'pattern_matches':
      return [
        ...(pattern === null ? [] : [`the share's pattern ${pattern} matches`]),
        ...(providerPattern === null ? [] : [`the pattern ${providerPattern} of ${provider} matches`]),
      ].join(', and ');
    case 'share_disabled':
      return 'the share is disabled: nobody gets in';
    case 'provider_unusable':
      return `the provider ${provider} is not there: nobody gets in`;
    case 'email_unusable':
      return 'no provider gives such an address: it is no plain address with one @';
    case 'provider_pattern_needed':
      return `none of the patterns of ${provider} matches: ${login?.provider?.emailPatterns.join(', ') ?? ''}`;
    case 'pattern_needed':
      return `none of the share's patterns matches: ${login?.emailPatterns.join(', ') ?? ''}`;
  }
}

/**
 * A person tries one after the other, a script a list of colleagues; each test compiles the share's patterns
 * at worst.
 */
const TESTS_PER_MINUTE = 300;
