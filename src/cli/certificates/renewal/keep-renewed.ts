// Renews a certificate again and again, each time at two thirds of its life, until it is asked to stop.
// Failures are tried again, at first soon, and never so late that the certificate is over before.

import { setTimeout as pause } from 'node:timers/promises';
import { renewalAt } from '../../../domain/certificate-notice.ts';
import { type FaultCode, ServiceError } from '../../../domain/service-error.ts';
import { type HeldFiles, readHeld } from './certificate-files.ts';
import type { RenewedFiles } from './renew-files.ts';

export type KeepOptions = {
  readonly files: HeldFiles;
  readonly renew: (files: HeldFiles) => Promise<RenewedFiles>;
  readonly onRenewed: (renewed: RenewedFiles) => Promise<void>;
  readonly onWaiting: (files: HeldFiles, until: number) => void;
  readonly onFailure: (files: HeldFiles, error: unknown, retryMs: number) => void;
  readonly now: () => number;
  /** Resolves at once when `signal` says so. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
};

/**
 * Resolves when `signal` says so. Throws what no further try can mend: the certificate is revoked, over, or
 * not readable.
 */
export async function keepRenewed(options: KeepOptions): Promise<void> {
  const { files, now, sleep, signal } = options;
  let told = 0;
  for (let failures = 0; !signal.aborted;) {
    // Read again each time: somebody else may have put another there.
    const { certificate } = await readHeld(files);
    const life = {
      createdAt: certificate.validFromDate.getTime(),
      notAfter: certificate.validToDate.getTime(),
    };
    const dueAt = dueIn(life, certificate.fingerprint256);
    if (now() < dueAt) {
      if (told !== dueAt) options.onWaiting(files, dueAt);
      told = dueAt;
      await sleep(Math.min(dueAt - now(), LOOK_MS), signal);
      continue;
    }
    try {
      await options.onRenewed(await options.renew(files));
      failures = 0;
    } catch (error) {
      if (isFinal(error) || now() >= life.notAfter) throw error;
      const waitMs = retryMs(failures++, life.notAfter - now(), Math.random());
      options.onFailure(files, error, waitMs);
      await sleep(waitMs, signal);
    }
  }
}

/**
 * At two thirds of the life and up to a twentieth of it later, each certificate at its own time: not all of
 * them at once.
 */
export function dueIn(
  life: { readonly createdAt: number; readonly notAfter: number },
  fingerprint: string,
): number {
  const share = Number.parseInt(fingerprint.replaceAll(':', '').slice(0, 8), 16) / 2 ** 32;
  return renewalAt(life) + Math.floor(((life.notAfter - life.createdAt) / 20) * share);
}

/**
 * Twice as long with each failure, from half a minute to an hour, and always less than an eighth of what is
 * left.
 */
export function retryMs(failures: number, leftMs: number, random: number): number {
  const mostMs = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(failures, 20), leftMs / 8);
  return Math.max(LEAST_MS, mostMs * (0.5 + random / 2));
}

function isFinal(error: unknown): boolean {
  return error instanceof ServiceError && FINAL.has(error.code);
}

/** As `KeepOptions.sleep`. */
export async function sleepUnlessAsked(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** No try of the same certificate can mend these. */
const FINAL: ReadonlySet<FaultCode> = new Set([
  'certificate_revoked',
  'certificate_expired',
  'certificate_unfit',
  'usage',
]);
/** A machine that slept, or whose clock was set, finds out by then. */
const LOOK_MS = 60 * 60_000;
const MIN_RETRY_MS = 30_000;
const MAX_RETRY_MS = 60 * 60_000;
const LEAST_MS = 1_000;
