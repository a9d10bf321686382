// A request for a share on its way through the gate, and what can come of it.

import type { CertificateRefusal } from '../domain/client-certificate.ts';
import type { Decision, RequestFacts } from '../domain/decision.ts';
import type { ServiceToken } from '../domain/service-token.ts';
import type { LiveSession, Session } from '../domain/session.ts';
import type { Share } from '../domain/share.ts';
import type { GateParts } from './gate-parts.ts';
import type { GuardedRequest } from './guard.ts';
import type { ToldExchange } from './forward-auth/told-exchange.ts';
import type { OwnRoute } from './own-routes.ts';
import type { Visit } from './visit.ts';
import type { RuleSource } from '../domain/compile-rules.ts';

/** A request for a share, with all that decides about it. */
export type Admission = {
  readonly visit: Visit;
  readonly request: GuardedRequest;
  readonly share: Share;
  readonly facts: RequestFacts;
  readonly session: Session | null;
  /** The service token that came with it and counts here; beside one, there is no session. */
  readonly token: ServiceToken | null;
  /** What else the browser has for the share, should that session have ended. */
  readonly others: readonly Session[];
  readonly route: OwnRoute | null;
  /** An allowed origin of another site, whose page may read the answer. */
  readonly corsOrigin: string | null;
  readonly parts: GateParts;
};

/** On what somebody is let in. */
export type Grounds = Pick<Extract<Decision, { kind: 'forward' }>, 'session' | 'certificate' | 'token'>;

/** Where a login could help, and how strong it must be, if stronger than any there. */
export type LoginWanted = Pick<Extract<Decision, { kind: 'login' }>, 'providers' | 'strength'>;

export type PersonRefused = {
  readonly code: 'email_refused' | 'rule_refused';
  readonly email: string;
  /** Null where none in particular refused. */
  readonly rule: RuleSource | null;
};

/** What happens once it is decided; see `outcome.ts`. */
export type Outcomes = {
  readonly inside: (visit: Visit, request: GuardedRequest, socketPath: string) => void;
  readonly forward: (admission: Admission, grounds: Grounds) => void;
  /** A proxy asked about it, and forwards it itself. */
  readonly authorize: (admission: Admission, told: ToldExchange, grounds: Grounds) => void;
  readonly session: (admission: Admission, session: LiveSession | null) => void;
  /** `providerName`: of the provider that the session was made with. */
  readonly logout: (admission: Admission, providerName: string) => void;
  readonly login: (admission: Admission, wanted: LoginWanted) => void;
  /** Somebody asks for a login by themselves, whether they are logged in or not. */
  readonly loginAgain: (admission: Admission) => void;
  /** The check could not be made now. */
  readonly uncheckable: (admission: Admission) => void;
  /** Somebody is logged in, and no rule lets them in. */
  readonly personRefused: (admission: Admission, refused: PersonRefused) => void;
  readonly certificateRefused: (admission: Admission, code: CertificateRefusal) => void;
  /** A program's token counts, and no rule lets it in. */
  readonly tokenRefused: (admission: Admission, token: ServiceToken) => void;
  /** Answers, or cuts, after any throw; logs what is not the visitor's to know. */
  readonly fail: (visit: Visit, error: unknown) => void;
};
