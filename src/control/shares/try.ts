// POST /v1/shares/{share}/test: whether somebody of whom some facts are said would get in at a share, and
// why: the gate's own decision. Settings that are not saved can be tried beside the question. Nothing is
// changed, nobody is asked.

import type { ShareTest } from '../../wire/share-test.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import type { SaidSettings } from '../../domain/share-values.ts';
import { wouldLetIn } from '../../domain/would-let-in.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import { problems } from '../answers.ts';
import { createCallBudget } from '../call-budget.ts';
import { faultsBelow } from '../input-fault.ts';
import { operation } from '../operation.ts';
import { titlesFor } from '../providers/called.ts';
import { shareParamsSchema } from './schema.ts';
import { changeSettings } from './settings.ts';
import { routedNow } from './view.ts';
import { findShare } from './find.ts';
import { detailOf } from './try-detail.ts';
import { shareTestInputSchema, shareTestSchema } from './try-schema.ts';

export const testShare = operation({
  needs: 'shares.read',
  route: {
    method: 'post',
    path: '/v1/shares/{share}/test',
    operationId: 'testShare',
    summary: 'Test who gets in',
    description:
      'Tests whether a visitor with these facts gets in, and why. A fact that is left out is unknown. Nobody is logged in. With `settings`, the test is of the share as these changes would make it; they are not stored.',
    request: {
      params: shareParamsSchema,
      body: { required: true, content: { 'application/json': { schema: shareTestInputSchema } } },
    },
    responses: {
      200: {
        description: 'Whether the visitor gets in, and why.',
        content: { 'application/json': { schema: shareTestSchema } },
      },
      ...problems('share_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => {
    const countTest = createCallBudget(deps.now, {
      perMinute: () => TESTS_PER_MINUTE,
      of: 'tests',
      hint: 'Test fewer visitors per minute.',
    });
    return async (c) => {
      const { at, settings, ...facts } = c.req.valid('json');
      const { accountId } = c.get('caller');
      countTest(accountId);
      const now = deps.settings();
      const row = await findShare(deps.store.shares, accountId, c.req.valid('param').share);
      const tested = settings === undefined ? row : withUnsaved(row, settings, now.providersOf(accountId));
      const share = routedNow(tested, now);
      const found = wouldLetIn(share, facts, at === undefined ? deps.now() : Date.parse(at));
      const { provider } = found;
      const answer: ShareTest = {
        ...found,
        rule: found.rule === null ? null : String(found.rule),
        rules: found.rules.map(({ source, ...rule }) => ({ ...rule, rule: String(source) })),
        share: share.name,
        email: facts.email ?? null,
        allowed: found.outcome === 'allowed',
        detail: detailOf(share, { found, facts, titleOf: titlesFor(now, accountId) }),
        needsVerifiedEmail:
          typeof facts.token !== 'string' &&
          found.reason !== 'certificate_alone' &&
          provider !== null &&
          now.console.findProvider(provider)?.verifiesEmail === true,
      };
      return c.json(shareTestSchema.parse(answer), 200);
    };
  },
});

/** Throws `validation_failed`, with the faults below `settings`. */
function withUnsaved(row: ShareRow, settings: SaidSettings, providers: readonly ProviderRef[]): ShareRow {
  try {
    return { ...row, ...changeSettings(row, settings, providers) };
  } catch (error) {
    throw faultsBelow('settings', error);
  }
}

/**
 * A person tries one after the other, a script a list of colleagues; each test compiles the share's patterns
 * at worst.
 */
const TESTS_PER_MINUTE = 300;
