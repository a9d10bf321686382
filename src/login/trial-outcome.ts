// What the OAuth frontend hands to the control plane after a trial: who the provider said it was, or what
// went wrong, sealed, for one console session, good once and for a minute. It is of a kind of its own: no
// login can be completed with it.

import { type AttemptId, newId } from '../domain/id.ts';
import { FAULTS, type FaultCode, type ServiceError } from '../domain/service-error.ts';
import type { Answer } from '../http/answer.ts';
import type { Provider } from '../providers/provider.ts';
import { redirectAnswer, type Cookies } from './answers.ts';
import type { LoginDeps } from './login-deps.ts';
import { hashField, idField, numberField, readRecord, textField, type RecordReader } from './record.ts';
import type { Seal } from './seal.ts';
import { readTrial, trialFields } from './trial-target.ts';
import type { TrialTarget } from './login-target.ts';

export type TrialOutcome = TrialTarget & {
  /** Claimed in the store when it is shown. */
  readonly id: AttemptId;
  readonly providerName: string;
  readonly providerGeneration: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly found: TrialFound;
};

export type TrialFound =
  | {
      readonly kind: 'person';
      readonly email: string;
      readonly subject: string;
      /**
       * Whether a refresh token came with the login, and can be used: sessions can then be checked without
       * the person.
       */
      readonly canRefresh: boolean;
    }
  | {
      readonly kind: 'fault';
      readonly code: FaultCode;
      /** What exactly was found, for whoever defines the provider; empty when that is the operator. */
      readonly detail: string;
    };

/** Sends the browser back to the control plane with what was found. */
export function trialOutcomeAnswer(
  deps: LoginDeps,
  {
    provider,
    target,
    found,
    cookies,
  }: {
    readonly provider: Provider;
    readonly target: TrialTarget;
    readonly found: TrialFound;
    readonly cookies: Cookies;
  },
): Answer {
  const location = new URL(TRIAL_OUTCOME_PATH, deps.controlUrl);
  const outcome = sealTrialOutcome(deps.seal, {
    ...target,
    id: newId('att'),
    providerName: provider.name,
    providerGeneration: provider.generation,
    expiresAt: deps.now() + OUTCOME_LIFETIME_MS,
    found,
  });
  location.searchParams.set('outcome', outcome);
  return redirectAnswer(location.href, cookies);
}

/** The configuration's providers are the operator's: what exactly is wrong there is told to no account. */
export function trialFault(provider: Provider, { code, message, hint }: ServiceError): TrialFound {
  const said = hint === null ? message : `${message}. ${hint}`;
  return { kind: 'fault', code, detail: provider.accountId === null ? '' : said.slice(0, MAX_DETAIL) };
}

export function sealTrialOutcome(seal: Seal, outcome: TrialOutcome): string {
  const { found } = outcome;
  const content = Buffer.concat([
    numberField(VERSION, 1),
    idField(outcome.id),
    numberField(outcome.expiresAt, MILLISECONDS_BYTES),
    hashField(outcome.providerGeneration),
    textField(outcome.providerName, 1),
    trialFields(outcome),
    ...(found.kind === 'person'
      ? [
          numberField(PERSON, 1),
          textField(found.email, 1),
          textField(found.subject, 2),
          numberField(found.canRefresh ? 1 : 0, 1),
        ]
      : [numberField(FAULT, 1), textField(found.code, 1), textField(found.detail, 2)]),
  ]);
  return seal.seal('trial-outcome', content);
}

/**
 * Null when it was not sealed here as one; expiry, session and first use are the caller's to check. Never
 * throws.
 */
export function openTrialOutcome(seal: Seal, sealed: string): TrialOutcome | null {
  const content = seal.open('trial-outcome', sealed);
  if (content === null) return null;
  return readRecord(content, (reader): TrialOutcome => {
    if (reader.number(1) !== VERSION) return reader.malformed();
    return {
      id: reader.id('att'),
      expiresAt: reader.number(MILLISECONDS_BYTES),
      providerGeneration: reader.hash(),
      providerName: reader.text(1),
      ...readTrial(reader),
      found: readFound(reader),
    };
  });
}

function readFound(reader: RecordReader): TrialFound {
  const kind = reader.number(1);
  if (kind === PERSON)
    return { kind: 'person', email: reader.text(1), subject: reader.text(2), canRefresh: reader.flag() };
  if (kind !== FAULT) return reader.malformed();
  const code = reader.text(1);
  if (!isFaultCode(code)) return reader.malformed();
  return { kind: 'fault', code, detail: reader.text(2) };
}

function isFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(FAULTS, code);
}

export const TRIAL_OUTCOME_PATH = '/auth/trial/outcome';
/** One redirect; a slow one takes seconds. */
export const OUTCOME_LIFETIME_MS = 60_000;
/** A sentence and its hint; it passes in an address. */
const MAX_DETAIL = 600;
const VERSION = 1;
const MILLISECONDS_BYTES = 6;
const PERSON = 1;
const FAULT = 2;
