// GET /auth/trial/outcome: an admin comes back from a trial and reads what the provider said, and which
// shares would let that address in. It is shown once, in the console session that started the trial, and is
// written down; it makes no session.

import type { ProviderDefinition } from '../../domain/provider-definition.ts';
import { trialFinding } from '../../domain/provider-finding.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { type AdmissionReason, wouldLetIn } from '../../domain/would-let-in.ts';
import type { Answer } from '../../http/answer.ts';
import { FAULT_TEXTS } from '../../http/fault-text.ts';
import type { PageContent } from '../../http/page-html.ts';
import { renderPage } from '../../http/page.ts';
import {
  OUTCOME_LIFETIME_MS,
  openTrialOutcome,
  type TrialFound,
  type TrialOutcome,
} from '../../login/trial-outcome.ts';
import type { Caller, ControlDeps } from '../control-deps.ts';
import { keepFinding, settingsMark } from '../providers/findings.ts';
import { routedNow } from '../shares/view.ts';
import { note } from './console-note.ts';
import { type ConsoleProvider, displayNameOf } from './console-settings.ts';
import type { ConsoleVisit } from './console-visit.ts';
import { trialCaller } from './trial.ts';

export async function showTrialOutcome(deps: ControlDeps, visit: ConsoleVisit): Promise<Answer> {
  const { outcome, caller, provider } = await takeOutcome(deps, visit);
  const { found } = outcome;
  await note(deps, visit, {
    kind: 'provider.tried',
    accountId: caller.accountId,
    actor: caller.actor,
    provider: provider.name,
    email: found.kind === 'person' ? found.email : null,
    reason: found.kind === 'person' ? null : found.code,
  });
  const { accountId } = caller;
  const definition = await deps.store.providerDefinitions.find(accountId, provider.name);
  const of = { name: provider.name, accountId };
  await keepFinding(deps, caller, {
    provider: provider.name,
    kind: 'trial',
    settings: isOfBefore(outcome, definition) ? '' : settingsMark(definition, of, deps.settings()),
    ...trialFinding(found),
  });
  const content =
    found.kind === 'person'
      ? await personContent(deps, { found, caller, provider })
      : faultContent(found, provider);
  const { brand } = deps.settings().console;
  const actions = [
    { label: 'Back to provider', href: `/console/providers/${provider.name}`, primary: true },
    { label: 'Try another account', href: `/auth/trial?provider=${provider.name}`, primary: false },
  ];
  return renderPage({ ...content, actions, requestId: visit.requestId }, brand);
}

/** Whether the settings changed after the provider answered. */
function isOfBefore({ expiresAt }: TrialOutcome, definition: ProviderDefinition | null): boolean {
  return definition !== null && definition.updatedAt >= expiresAt - OUTCOME_LIFETIME_MS;
}

type Taken = {
  readonly outcome: TrialOutcome;
  readonly caller: Caller;
  readonly provider: ConsoleProvider;
};

/** The outcome, used up. Throws what is wrong with it before anything of it is shown or written. */
async function takeOutcome(deps: ControlDeps, visit: ConsoleVisit): Promise<Taken> {
  const settings = deps.settings();
  const outcome = openTrialOutcome(settings.console.seal, visit.query.get('outcome') ?? '');
  if (outcome === null)
    throw new ServiceError('request_invalid', 'Cannot show the test: it is not from this service');
  if (deps.now() >= outcome.expiresAt)
    throw new ServiceError('request_expired', 'Cannot show the test: it has expired');
  const { caller, bindingHash } = await trialCaller(deps, visit);
  if (bindingHash !== outcome.bindingHash)
    throw new ServiceError('state_foreign', 'Cannot show the test: it started in another session');
  const { providerName: name, providerGeneration } = outcome;
  const isUsable = settings.providersOf(caller.accountId).some((each) => each.name === name);
  const provider = isUsable ? settings.console.findProvider(name) : undefined;
  if (provider === undefined || provider.generation !== providerGeneration)
    throw new ServiceError('request_expired', 'Cannot show the test: the provider changed during the test');
  if (!(await deps.store.attempts.claim(outcome.id, outcome.expiresAt)))
    throw new ServiceError('state_replayed', 'Cannot show the test: it was already shown');
  return { outcome, caller, provider };
}

type Content = Pick<PageContent, 'status' | 'tone' | 'title' | 'paragraphs' | 'details'>;

type Person = Pick<Taken, 'caller' | 'provider'> & {
  readonly found: Extract<TrialFound, { readonly kind: 'person' }>;
};

async function personContent(deps: ControlDeps, { found, caller, provider }: Person): Promise<Content> {
  const { email, subject, canRefresh } = found;
  return {
    status: 200,
    tone: 'info',
    title: 'The login works',
    paragraphs: [
      `${displayNameOf(provider)} confirmed your identity. This was a test: it created no session and opened no share.`,
    ],
    details: [
      { label: 'Email', value: email },
      {
        label: 'Verified',
        value: provider.verifiesEmail
          ? 'yes, the provider says so'
          : 'not required: the provider did not deny it',
      },
      { label: 'Subject', value: subject },
      {
        label: 'Checks',
        value: canRefresh
          ? 'sessions are checked in the background: the provider sent a refresh token'
          : provider.mayAskConsent === true
            ? 'the provider sent no refresh token; a share with a check interval asks people for consent once'
            : 'people log in again at each check: the provider sent no refresh token',
      },
      ...(await sharesLettingIn(deps, { email, caller, provider })),
    ],
  };
}

/** Each share that uses the provider, and whether the address would get in: the gate's own decision. */
async function sharesLettingIn(
  deps: ControlDeps,
  { email, caller, provider }: Pick<Taken, 'caller' | 'provider'> & { readonly email: string },
): Promise<PageContent['details']> {
  const { shares: rows, next } = await deps.store.shares.list(caller.accountId, {
    after: null,
    limit: MAX_SHARES,
    filter: { text: null, provider: provider.name, state: null, now: deps.now() },
  });
  if (rows.length === 0) return [{ label: 'Shares', value: 'no share uses this provider yet' }];
  const shown = rows.map((row) => {
    const share = routedNow(row, deps.settings());
    const { outcome, reason } = wouldLetIn(share, { email, provider: provider.name }, deps.now());
    const value = {
      allowed: 'allows this address',
      depends: 'depends on more than the address',
      refused: `no: ${WHY_NOT[reason] ?? 'no rule of it allows this address'}`,
    };
    return { label: `Share ${share.name}`, value: value[outcome] };
  });
  return next !== null ? [...shown, { label: 'Shares', value: 'and more' }] : shown;
}

function faultContent(
  { code, detail }: Extract<TrialFound, { readonly kind: 'fault' }>,
  provider: ConsoleProvider,
): Content {
  const { what, next } = FAULT_TEXTS[code];
  const operators = 'The log of this service has the details for its operator.';
  return {
    status: 200,
    tone: 'refused',
    title: 'The login failed',
    paragraphs: [what, detail === '' ? operators : next],
    details: [
      { label: 'Provider', value: provider.name },
      { label: 'Code', value: code },
      ...(detail === '' ? [] : [{ label: 'Found', value: detail }]),
    ],
  };
}

const WHY_NOT: Partial<Readonly<Record<AdmissionReason, string>>> = {
  share_disabled: 'it is disabled',
  provider_pattern_needed: 'the patterns of the provider do not match this address',
  pattern_needed: 'its patterns do not match this address',
  rule_denies: 'a rule of it denies this login',
};
/** As many as one reads; the share's own page answers for any other. */
const MAX_SHARES = 50;
