// Whether a share would let in somebody whom an account knows: what is known of them, put as a question to
// the gate's own evaluator. What a login or a request may be another time is left open: where they come from,
// what they ask for, how strongly they log in.

import type { AskedCertificate, AskedFacts } from './asked-facts.ts';
import type { CertificateSubject } from './certificate.ts';
import type { SeenLogin } from './seen-login.ts';
import type { SessionFacts } from './session-facts.ts';
import type { Share } from './share.ts';
import { rulesOfShare } from './share-rules.ts';
import { type WouldLetIn, wouldLetIn } from './would-let-in.ts';

export type KnownPerson = {
  /** Null for whoever is known by a certificate alone. */
  readonly email: string | null;
  /** The one provider where they log in; null for any. */
  readonly provider: string | null;
  /** What providers said of them, by the provider's name. */
  readonly facts: ReadonlyMap<string, SessionFacts | null>;
  /** Undefined where it is not known whether they have one. */
  readonly certificate?: AskedCertificate | undefined;
};

export type CouldOpen = { readonly found: WouldLetIn; readonly asked: AskedFacts };

/** The best of what they could come with; `asked` says what that is. */
export function couldOpen(share: Share, person: KnownPerson, now: number): CouldOpen {
  const { email, provider } = person;
  const at = rulesOfShare(share).providerNames.filter((name) => name === (provider ?? name));
  const questions =
    email === null || at.length === 0
      ? [questionOf(person, provider)]
      : at.map((name) => questionOf(person, name));
  const answers = questions.map((asked) => ({ found: wouldLetIn(share, asked, now), asked }));
  return (
    answers.find(({ found }) => found.outcome === 'allowed') ??
    answers.find(({ found }) => found.outcome === 'depends') ??
    answers[0]!
  );
}

function questionOf({ email, facts, certificate }: KnownPerson, provider: string | null): AskedFacts {
  const shown = certificate === undefined ? {} : { certificate };
  // Whoever comes with a service token is a program.
  if (email === null) return { token: null, ...shown };
  const told = facts.get(provider ?? '') ?? null;
  return {
    email,
    provider: provider ?? undefined,
    groups: told?.groups ?? undefined,
    claims: told?.claims,
    ...shown,
  };
}

export function personOf({
  email,
  provider,
  facts,
}: Omit<SeenLogin, 'at' | 'providerGeneration'>): KnownPerson {
  return { email, provider, facts: new Map([[provider, facts]]) };
}

export function certificateOf({ commonName, organizationalUnit }: CertificateSubject): AskedCertificate {
  return { subject: commonName, unit: organizationalUnit };
}
