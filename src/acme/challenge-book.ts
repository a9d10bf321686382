// What challenges are answered with, on whichever gateway the ACME server looks. Anybody may ask for anything
// here, so whatever is not known is looked up for all who ask at once, a few times a second at most.

import type { AcmeChallenge } from '../store/acme/acme.ts';

export type ChallengeBook = {
  /** Null when no challenge waits for that. `token` null: of that kind and host, whatever its token. */
  readonly find: (kind: string, host: string, token: string | null) => Promise<string | null>;
};

export type ChallengeBookDeps = {
  readonly read: () => Promise<readonly AcmeChallenge[]>;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
};

export function createChallengeBook({ read, now, pause }: ChallengeBookDeps): ChallengeBook {
  let known: readonly AcmeChallenge[] = [];
  /** Resolves once the next read may begin. */
  let rested: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const look = (kind: string, host: string, token: string | null): string | null =>
    known.find(
      (each) =>
        each.kind === kind &&
        each.host === host &&
        (token === null || each.token === token) &&
        each.expiresAt > now(),
    )?.answer ?? null;
  const readOnce = async (): Promise<void> => {
    try {
      known = await read();
    } catch {
      // The store is away, which the feed tells of; the ACME server asks again.
    }
  };
  /** A read that begins after this call sees what was written before it. */
  const refreshed = (): Promise<void> => {
    next ??= rested.then(() => {
      next = null;
      const done = readOnce();
      rested = done.then(() => pause(READ_GAP_MS));
      return done;
    });
    return next;
  };
  return {
    async find(kind, host, token) {
      const found = look(kind, host, token);
      if (found !== null) return found;
      await refreshed();
      return look(kind, host, token);
    },
  };
}

const READ_GAP_MS = 250;
