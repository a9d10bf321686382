// POST /v1/access-requests/{accessRequest}/grant: lets in who asked, for a time: one more rule of the share.
// The rule, the decision and what the audit says of both are one transaction.

import { MAX_ACCOUNT_RULES_CHARACTERS } from '../../domain/access-rule.ts';
import { type AccessRequest, grantedRules, MOST_GRANTED_MS } from '../../domain/access-request.ts';
import { parseDuration } from '../../domain/duration.ts';
import { namedProviders } from '../../domain/named-providers.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { AccessGrantInput } from '../../wire/access-request.ts';
import { ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { Caller, ControlDeps } from '../control-deps.ts';
import { checkIfMatch } from '../etag.ts';
import { inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import { findShare } from '../shares/find.ts';
import { shareModified } from '../shares/note.ts';
import { changeSettings } from '../shares/settings.ts';
import { decidedAlready, findOpenRequest } from './find.ts';
import {
  accessGrantSchema,
  accessRequestObject,
  accessRequestParamsSchema,
  accessRequestSchema,
} from './schema.ts';

export const grantAccessRequest = operation({
  needs: 'shares.write',
  route: {
    method: 'post',
    path: '/v1/access-requests/{accessRequest}/grant',
    operationId: 'grantAccessRequest',
    summary: 'Grant a request for access',
    description:
      'Lets the person in for a time: adds a rule to the share that allows this address at this provider until then. A rule that denies still refuses them. If-Match is about the share.',
    parameters: [ifMatchParameter],
    request: {
      params: accessRequestParamsSchema,
      body: { required: true, content: { 'application/json': { schema: accessGrantSchema } } },
    },
    responses: {
      200: {
        description: 'The granted request. The rule is live.',
        content: { 'application/json': { schema: accessRequestSchema } },
      },
      ...problems(
        'access_request_unknown',
        'access_request_decided',
        'share_unknown',
        'precondition_failed',
        'rules_too_large',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const { accessRequests, shares } = deps.store;
    const asked = await findOpenRequest(accessRequests, caller.accountId, c.req.valid('param').accessRequest);
    const found = await findShare(shares, caller.accountId, asked.shareId);
    const until = untilOf(c.req.valid('json'), deps.now());
    const granted = await grant(deps, caller, { asked, found, until, ifMatch: c.req.header('if-match') });
    await confirmLive(deps);
    return c.json(accessRequestSchema.parse(accessRequestObject(granted, () => found.name)), 200);
  },
});

type Granting = {
  readonly asked: AccessRequest;
  /** The share, as it was a moment ago. */
  readonly found: ShareRow;
  readonly until: number;
  readonly ifMatch: string | undefined;
};

/** Throws `access_request_decided`, and then the share is as it was. */
async function grant(
  deps: ControlDeps,
  caller: Caller,
  { asked, found, until, ifMatch }: Granting,
): Promise<AccessRequest> {
  const { accountId } = caller;
  const { id, shareId, provider, email } = asked;
  const providers = deps.settings().providersOf(accountId);
  const known = providers.find(({ name }) => name === provider);
  const at = deps.now();
  let before = found;
  const settings = (share: ShareRow) => {
    before = share;
    checkIfMatch(ifMatch, share);
    // Somebody else may have that address at a provider that took the name.
    if (known?.generation !== asked.providerGeneration || !namedProviders(share).includes(provider))
      throw inputRefused([
        { path: 'provider', message: `${share.name} has no login with this ${provider} now` },
      ]);
    return changeSettings(share, { rules: grantedRules(share, { provider, email, until }, at) }, providers);
  };
  const definitions = known === undefined || known.accountId === null ? [] : [known.name];
  const { decided } = await recordedChange(
    deps,
    caller,
    async () => {
      const after = await deps.store.shares.modify({
        accountId,
        id: shareId,
        settings,
        definitions,
        mostRules: MAX_ACCOUNT_RULES_CHARACTERS,
        at,
      });
      const state = 'granted' as const;
      const granted = await deps.store.accessRequests.decide({
        accountId,
        id,
        state,
        at,
        grantedUntil: until,
      });
      if (after === null)
        throw new ServiceError('share_unknown', 'Cannot let anybody in: the share was deleted');
      if (granted === null) throw decidedAlready();
      return { after, decided: granted };
    },
    ({ after }) => [
      shareModified(before, after),
      { kind: 'access.granted', shareId, provider, email, reason: after.name },
    ],
  );
  return decided;
}

/** Throws `validation_failed`. */
function untilOf(input: AccessGrantInput, now: number): number {
  if ((input.for === undefined) === (input.until === undefined))
    throw inputRefused([{ path: 'for', message: 'send either for or until' }]);
  const path = input.for === undefined ? 'until' : 'for';
  const until = input.for === undefined ? Date.parse(input.until ?? '') : now + lasting(input.for);
  if (!(until > now)) throw inputRefused([{ path, message: 'it is in the past' }]);
  if (until > now + MOST_GRANTED_MS) throw inputRefused([{ path, message: 'at most 90d' }]);
  return until;
}

function lasting(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw inputRefused([{ path: 'for', message: error.message }]);
  }
}
