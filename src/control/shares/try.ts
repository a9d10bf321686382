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
    share: z.string().openapi({ description: 'The name of the share.' }),
    email: z.string(),
    allowed: z.boolean(),
    reason: z.enum(ADMISSION_REASONS).openapi({ description: 'A stable code.' }),
    detail: z.string().openapi({ description: 'The reason in words.' }),
    provider: z
      .string()
      .nullable()
      .openapi({ description: 'The provider that people log in with. Null without a login.' }),
    pattern: z.string().nullable().openapi({
      description: 'The pattern of the share that matches. Null if none matches or none is required.',
    }),
    providerPattern: z.string().nullable().openapi({
      description:
        'The pattern of the provider definition that matches. Null if none matches or none is required.',
    }),
    certificate: z.enum(['none', 'needed', 'enough']).openapi({
      description:
        'Whether a client certificate is not required, required in addition, or sufficient without the login.',
    }),
    needsVerifiedEmail: z.boolean().openapi({
      description:
        'Whether the provider must confirm that the email address is verified. An address that it denies is never allowed.',
    }),
  })
  .openapi('ShareTest') satisfies z.ZodType<ShareTest>;

export const testShare = operation({
  needs: 'shares.read',
  route: {
    method: 'post',
    path: '/v1/shares/{share}/test',
    operationId: 'testShare',
    summary: 'Test an email address',
    description: 'Tests whether a person with that email address gets in, and why. Nobody is logged in.',
    request: {
      params: shareParamsSchema,
      body: { required: true, content: { 'application/json': { schema: shareTestInputSchema } } },
    },
    responses: {
      200: {
        description: 'Whether the address gets in, and why.',
        content: { 'application/json': { schema: shareTestSchema } },
      },
      ...problems('share_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => {
    const countTest = createCallBudget(deps.now, {
      perMinute: () => TESTS_PER_MINUTE,
      of: 'tests',
      hint: 'Test fewer addresses per minute.',
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
      const provider = share.login?.named[0] ?? null;
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
  if (certificate === 'enough') return `; ${which} is sufficient without a login`;
  return reason === 'certificate_alone' ? `: anyone with ${which} gets in` : `; ${which} is also required`;
}

function detailOf({ login }: Share, { reason, pattern, providerPattern }: WouldLetIn): string {
  const provider = login?.named.join(', ') ?? '';
  switch (reason) {
    case 'no_login':
      return 'the share has no login: anyone gets in';
    case 'certificate_alone':
      return 'the share has no login';
    case 'any_address':
      return `anyone who logs in with ${provider} gets in`;
    case 'pattern_matches':
      return [
        ...(pattern === null ? [] : [`the share's pattern ${pattern} matches`]),
        ...(providerPattern === null ? [] : [`the pattern ${providerPattern} of ${provider} matches`]),
      ].join(', and ');
    case 'share_disabled':
      return 'the share is disabled: nobody gets in';
    case 'provider_unusable':
      return `the provider ${provider} does not exist: nobody gets in`;
    case 'email_unusable':
      return 'no provider returns such an address: it is not a plain address with one @';
    case 'rule_needed':
      return 'no rule of the share lets this address in';
    case 'provider_pattern_needed':
      return `none of the patterns of ${provider} matches: ${definitionPatterns(login)}`;
    case 'pattern_needed':
      return `none of the share's patterns matches: ${login?.emailPatterns.join(', ') ?? ''}`;
  }
}

function definitionPatterns(login: Share['login']): string {
  return login?.providers.flatMap(({ provider }) => provider?.emailPatterns ?? []).join(', ') ?? '';
}

/**
 * A person tries one after the other, a script a list of colleagues; each test compiles the share's patterns
 * at worst.
 */
const TESTS_PER_MINUTE = 300;
