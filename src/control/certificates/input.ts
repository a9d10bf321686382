// What an admin wants a certificate to say, checked: each text, the lengths, and the account's rules.

import type { NewTokenObject, PolicyChanges } from '../../wire/certificate.ts';
import {
  type CertificatePolicy,
  type CertificateSubject,
  DEFAULT_VALIDITY_MS,
  MAX_VALIDITY_MS,
  policyFaults,
} from '../../domain/certificate.ts';
import { parseDuration } from '../../domain/duration.ts';
import { isAsciiAddress } from '../../domain/email-address.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { requireTextGlob } from '../../domain/text-glob.ts';
import { isNameText } from '../../x509/name.ts';
import { type InputFault, inputRefused } from '../input-fault.ts';

export type TokenInput = {
  readonly subject: CertificateSubject;
  readonly validityMs: number;
  readonly expiresInMs: number;
  /** As `CertificateRequestToken.renewableMs`. */
  readonly renewableMs: number | null;
};

/**
 * Throws `validation_failed` for what is no name, address or duration, `policy_violation` for what the rules
 * forbid.
 */
export function parseTokenInput(given: NewTokenObject, policy: CertificatePolicy): TokenInput {
  const faults: InputFault[] = [];
  const subject: CertificateSubject = {
    commonName: given.commonName,
    organization: given.organization ?? policy.organization,
    organizationalUnit: given.organizationalUnit ?? null,
    emailAddress: given.emailAddress ?? null,
  };
  for (const path of ['commonName', 'organization', 'organizationalUnit'] as const)
    if (subject[path] !== null && !isNameText(subject[path])) faults.push({ path, message: NAME_RULE });
  if (subject.emailAddress !== null && !isAsciiAddress(subject.emailAddress))
    faults.push({
      path: 'emailAddress',
      message: 'use an email address in ASCII, which certificates require',
    });
  if (!isNameText(given.name)) faults.push({ path: 'name', message: NAME_RULE });
  const validityMs = duration(given.validity, { path: 'validity', mostMs: MAX_VALIDITY_MS, faults });
  const expiresInMs = duration(given.expiresIn, { path: 'expiresIn', mostMs: MAX_TOKEN_LIFE_MS, faults });
  const renewableMs = renewable(given.renewableFor, faults);
  if (faults.length > 0) throw inputRefused(faults);
  const draft = {
    subject,
    validityMs: validityMs ?? Math.min(DEFAULT_VALIDITY_MS, policy.maxValidityMs ?? DEFAULT_VALIDITY_MS),
    expiresInMs: expiresInMs ?? DEFAULT_TOKEN_LIFE_MS,
    renewableMs: renewableMs ?? null,
  };
  requireAllowed(policy, draft);
  return draft;
}

/** The rules with what is given in the place of what was. Throws `validation_failed`. */
export function parsePolicy(given: PolicyChanges, before: CertificatePolicy): CertificatePolicy {
  const faults: InputFault[] = [];
  const { organization, organizationalUnits, commonNamePattern, maxValidity, renewableFor } = given;
  if (typeof organization === 'string' && !isNameText(organization))
    faults.push({ path: 'organization', message: NAME_RULE });
  for (const [index, unit] of (organizationalUnits ?? []).entries())
    if (!isNameText(unit)) faults.push({ path: `organizationalUnits.${index}`, message: NAME_RULE });
  if (typeof commonNamePattern === 'string') judgePattern(commonNamePattern, faults);
  const maxValidityMs =
    maxValidity === null
      ? null
      : duration(maxValidity, { path: 'maxValidity', mostMs: MAX_VALIDITY_MS, faults });
  const renewableMs = renewableFor === null ? null : renewable(renewableFor, faults);
  if (faults.length > 0) throw inputRefused(faults);
  return {
    organization: organization === undefined ? before.organization : organization,
    organizationalUnits: organizationalUnits ?? before.organizationalUnits,
    commonNamePattern: commonNamePattern === undefined ? before.commonNamePattern : commonNamePattern,
    maxValidityMs: maxValidityMs === undefined ? before.maxValidityMs : maxValidityMs,
    renewalByLogin: given.renewalByLogin ?? before.renewalByLogin,
    renewableMs: renewableMs === undefined ? before.renewableMs : renewableMs,
  };
}

function requireAllowed(policy: CertificatePolicy, draft: TokenInput): void {
  const faults = policyFaults(policy, draft);
  const [first] = faults;
  if (first === undefined) return;
  throw new ServiceError(
    'policy_violation',
    `Cannot create the token: the certificate policy does not allow it (${first.path}: ${first.message})`,
    { extra: { faults } },
  );
}

function renewable(text: string | undefined, faults: InputFault[]): number | undefined {
  if (text === 'none') return 0;
  return duration(text, { path: 'renewableFor', mostMs: MAX_RENEWABLE_MS, faults });
}

/** Undefined for what is not given, and for what is none, which joins the faults. */
function duration(
  text: string | undefined,
  { path, mostMs, faults }: { path: string; mostMs: number; faults: InputFault[] },
): number | undefined {
  if (text === undefined) return undefined;
  try {
    const durationMs = parseDuration(text);
    if (durationMs <= mostMs && durationMs >= LEAST_MS) return durationMs;
    faults.push({ path, message: `at least 1m and at most ${mostMs / DAY_MS}d` });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    faults.push({ path, message: error.message });
  }
  return undefined;
}

function judgePattern(pattern: string, faults: InputFault[]): void {
  try {
    requireTextGlob(pattern);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    faults.push({ path: 'commonNamePattern', message: error.message });
  }
}

const NAME_RULE = 'use 1 to 64 characters, without control characters and without spaces at the start or end';
const DAY_MS = 86_400_000;
const LEAST_MS = 60_000;
/** DESIGN 2.6. */
const DEFAULT_TOKEN_LIFE_MS = DAY_MS;
const MAX_TOKEN_LIFE_MS = 7 * DAY_MS;
/** As long as an authority. */
const MAX_RENEWABLE_MS = 3_650 * DAY_MS;
