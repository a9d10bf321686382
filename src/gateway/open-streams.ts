// Everything under way, looked at once a second while there is any, and at each change of shares and
// sessions: whoever was let in is decided again when the check or the expiry is due, or what was known
// changed (DESIGN "Ended sessions"). Stalls end here, too.

import {
  CHECK_SOON_SHARE,
  decide,
  decideAgainAt,
  rulesPassAt,
  sinceCheck,
  type Decision,
  type RequestFacts,
} from '../domain/decision.ts';
import type { ServiceToken } from '../domain/service-token.ts';
import { liveSession, type Session, type SessionState } from '../domain/session.ts';
import type { Share } from '../domain/share.ts';
import { Roster, type Seated } from './roster.ts';
import type { PresentedCertificate } from './presented-certificate.ts';
import type { RouteTable } from './route-table.ts';
import type { ServiceTokens } from './service-tokens.ts';
import type { SessionStates } from './session-states.ts';
import { tokenCounts } from './token-judge.ts';
import type { Trust } from './trust.ts';

/** On what grounds a request was let in. */
export type Grant = {
  facts: RequestFacts;
  /** Null where no login was needed. */
  readonly session: Session | null;
  /** Null where no certificate was asked for, or none counted. */
  readonly certificate: PresentedCertificate | null;
  /** Null where no service token was asked for. */
  readonly token: ServiceToken | null;
  /** Of the trust that the certificate was judged by. */
  trustVersion: number;
  share: Share;
  state: SessionState | null;
  /** When it must be looked at, if nothing changes before. */
  dueAt: number;
  /** Its state is being asked for, or checked. */
  learning: boolean;
};

export interface OpenStream extends Seated {
  /** Null for the service's own hosts, where nothing is decided. */
  readonly grant: Grant | null;
  readonly webSocket: boolean;
  /** Ends it at once, so that the visitor cannot take it for whole. `reason` is for the log. */
  cut(reason: string): void;
  /** Enforces the limits of time; `now` is on the clock of `performance.now()`. */
  tick(now: number): void;
}

export type OpenStreams = {
  readonly add: (stream: OpenStream) => void;
  readonly remove: (stream: OpenStream) => void;
  /** Something changed: looks at all of them soon. */
  readonly changed: () => void;
  readonly count: () => { readonly all: number; readonly webSockets: number };
  /** Cuts everything that is still open. */
  readonly cutAll: (reason: string) => void;
  readonly stop: () => void;
};

export type OpenStreamsOptions = {
  readonly routes: RouteTable;
  readonly states: SessionStates;
  readonly trust: Trust;
  readonly tokens: Pick<ServiceTokens, 'findById'>;
  /** Whether the store was away for longer than the grace. */
  readonly storeAway: () => boolean;
};

export function createOpenStreams(options: OpenStreamsOptions): OpenStreams {
  const { storeAway } = options;
  const open = new Roster<OpenStream>();
  const reconsider = createReconsideration(options);
  let soon: NodeJS.Timeout | null = null;
  const look = () => {
    soon = null;
    const now = Date.now();
    const steady = performance.now();
    const away = storeAway();
    open.forEach((stream) => {
      stream.tick(steady);
      if (stream.grant === null) return;
      if (away) stream.cut('store_unavailable');
      else reconsider(stream, stream.grant, now);
    });
  };
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  // A timer that ends with the last stream would be made again for nearly every request: it ends when it
  // finds none.
  const lookOnTime = () => {
    if (open.size > 0) return look();
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    add: (stream) => {
      open.add(stream);
      if (!stopped) timer ??= setInterval(lookOnTime, LOOK_MS).unref();
    },
    remove: (stream) => open.remove(stream),
    changed: () => {
      soon ??= setTimeout(look, SOON_MS);
    },
    count: () => {
      let webSockets = 0;
      open.forEach((stream) => {
        if (stream.webSocket) webSockets++;
      });
      return { all: open.size, webSockets };
    },
    cutAll: (reason) => open.forEach((stream) => stream.cut(reason)),
    stop: () => {
      stopped = true;
      if (timer !== null) clearInterval(timer);
      if (soon !== null) clearTimeout(soon);
    },
  };
}

type Reconsider = (stream: OpenStream, grant: Grant, now: number) => void;

/**
 * Judges what a stream was let in on, as everything is known by now, and cuts a stream that would not be let
 * in.
 */
function createReconsideration({
  routes,
  states,
  trust,
  tokens,
}: Omit<OpenStreamsOptions, 'storeAway'>): Reconsider {
  const reconsider: Reconsider = (stream, grant, now) => {
    const share = routes.findById(grant.share.id);
    if (share === undefined) {
      stream.cut('share_unknown');
      return;
    }
    if (grant.token !== null && !stillCounts(tokens, grant.token, share, now)) {
      stream.cut('service_token_invalid');
      return;
    }
    const state = grant.session === null ? null : states.known(grant.session.id);
    if (state === undefined) {
      void learn(stream, grant, 'ask');
      return;
    }
    const isSame = share === grant.share && state === grant.state && trust.version() === grant.trustVersion;
    const isDue = now >= grant.dueAt || (state !== null && sinceCheck(state, now) === Infinity);
    if (isSame && !isDue) return;
    judgeAgain(trust, grant, now);
    grant.share = share;
    grant.state = state;
    const decision = decideGrant(grant, now);
    if (decision.kind === 'forward') {
      if (hasLostGrounds(grant, decision)) {
        stream.cut('grounds_changed');
        return;
      }
      if (decision.checkSoon && grant.session !== null) states.checkSoon(grant.session.id);
      grant.dueAt = dueAt(grant, now);
    } else if (decision.kind === 'recheck') void learn(stream, grant, 'check');
    else stream.cut(decision.kind === 'login' ? decision.reason : decision.code);
  };
  const learn = async (stream: OpenStream, grant: Grant, how: 'ask' | 'check') => {
    if (grant.learning || grant.session === null) return;
    grant.learning = true;
    const state = await states[how](grant.session.id).catch(() => null);
    grant.learning = false;
    if (stream.seat < 0) return;
    grant.state = state;
    const now = Date.now();
    judgeAgain(trust, grant, now);
    const decision = state === null ? null : decideGrant(grant, now);
    const decided = decision?.kind ?? null;
    if (decision?.kind === 'forward' && !hasLostGrounds(grant, decision)) grant.dueAt = dueAt(grant, now);
    else if (decided === 'recheck' && how === 'ask') void learn(stream, grant, 'check');
    // Not known, or due again right after a check: nobody vouches for it now.
    else stream.cut('recheck_unavailable');
  };
  return reconsider;
}

/**
 * When a stream must be looked at: at the check, the expiry, or when a check in the background is worth
 * starting.
 */
function dueAt(grant: Grant, now: number): number {
  const { share, session, state } = grant;
  const goodUntil = grant.certificate === null ? Infinity : (grant.facts.certificate?.goodUntil ?? now);
  const tokenUntil = grant.token?.expiresAt ?? Infinity;
  const over = Math.min(goodUntil, tokenUntil, rulesPassAt(share, state, now));
  if (session === null || state === null || share.login === null) return over;
  const live = liveSession(session, state);
  const last = Math.min(over, decideAgainAt(share, live));
  if (!state.refreshable) return last;
  const soon = state.checkedAt + share.login.checkIntervalMs * CHECK_SOON_SHARE;
  return Math.min(last, now < soon ? soon : now + CHECK_AGAIN_MS);
}

/**
 * The backend was told of a login, a certificate or a token on which nothing lets in any more: whatever else
 * would, by another rule or with everyone, is another request.
 */
function hasLostGrounds(
  { session, certificate, token }: Grant,
  now: Extract<Decision, { kind: 'forward' }>,
): boolean {
  return (
    (session !== null && now.session === null) ||
    (certificate !== null && now.certificate === null) ||
    (token !== null && now.token === null)
  );
}

/** One that was deleted is known no more; what was let in by it ends, whatever else might let it in. */
function stillCounts(
  tokens: Pick<ServiceTokens, 'findById'>,
  { id }: ServiceToken,
  share: Share,
  now: number,
): boolean {
  const token = tokens.findById(id);
  return token !== undefined && tokenCounts(token, share, now);
}

/** As `decide()` is to see it: of a certificate that did not count when the stream was let in, nothing. */
function judgeAgain(trust: Trust, grant: Grant, now: number): void {
  const { certificate, facts } = grant;
  grant.trustVersion = trust.version();
  grant.facts = { ...facts, certificate: certificate === null ? null : trust.judge(certificate, now) };
}

function decideGrant({ share, session, state, facts }: Grant, now: number): Decision {
  const live = session === null || state === null ? null : liveSession(session, state);
  return decide(share, live, facts, now);
}

/** Limits of time are coarse, and a pass over ten thousand streams takes a few milliseconds. */
const LOOK_MS = 1_000;
/**
 * Changes that come together are looked at together; far below the two seconds that an ended session may
 * last.
 */
const SOON_MS = 20;
/** How often an open stream whose check in the background failed has it tried again. */
const CHECK_AGAIN_MS = 10_000;
