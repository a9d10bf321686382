// Trials: logins that an admin makes from the console to see whether a provider works. A trial runs through
// the provider as any login does, and ends with what was found, told to the admin's own browser: nobody is
// logged in to anything by one.

import type { TrialTarget } from './login-target.ts';
import { type Field, hashField, numberField, readRecord, type RecordReader, textField } from './record.ts';
import type { Seal } from './seal.ts';

export type TrialRequest = TrialTarget & {
  readonly providerName: string;
  /** True: whoever tries a provider chooses with which of their accounts there. */
  readonly selectAccount: true;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
};

export function sealTrialRequest(seal: Seal, request: Omit<TrialRequest, 'kind' | 'selectAccount'>): string {
  const content = Buffer.concat([
    numberField(VERSION, 1),
    numberField(request.expiresAt, MILLISECONDS_BYTES),
    textField(request.providerName, 1),
    trialFields(request),
  ]);
  return seal.seal('trial-request', content);
}

/** Null when it was not sealed here as one; `expiresAt` is the caller's to check. Never throws. */
export function openTrialRequest(seal: Seal, sealed: string): TrialRequest | null {
  const content = seal.open('trial-request', sealed);
  if (content === null) return null;
  return readRecord(content, (reader): TrialRequest => {
    if (reader.number(1) !== VERSION) return reader.malformed();
    return {
      expiresAt: reader.number(MILLISECONDS_BYTES),
      providerName: reader.text(1),
      selectAccount: true,
      ...readTrial(reader),
    };
  });
}

export function trialFields({ bindingHash }: Omit<TrialTarget, 'kind'>): Field {
  return hashField(bindingHash);
}

export function readTrial(reader: RecordReader): TrialTarget {
  return { kind: 'trial', bindingHash: reader.hash() };
}

const VERSION = 1;
const MILLISECONDS_BYTES = 6;
