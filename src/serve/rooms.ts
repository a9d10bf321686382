// What depends on the configuration and is made again when it changes: providers, sealing, login, rechecks
// and what the control API checks against. The store, the listeners and the data plane outlive it.

import { basename } from 'node:path';
import type { Config } from '../config/config.ts';
import { createConfiguredExaminer } from '../control/providers/configured-examination.ts';
import type { ProviderBook } from '../control/feed/provider-book.ts';
import type { ControlSettings } from '../control/control-deps.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { ShareId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import type { Share } from '../domain/share.ts';
import { assertionKeySet } from '../login/assertion-key.ts';
import type { AskLimit } from '../login/ask-limit.ts';
import type { CallbackLimit } from '../login/callback-limit.ts';
import type { AuditFailure } from '../login/failure-events.ts';
import { createLogin, type Login } from '../login/login.ts';
import type { ProviderPlaces } from '../login/provider-places.ts';
import { createRecheck, type Recheck } from '../login/recheck.ts';
import { createSeal } from '../login/seal.ts';
import { createProviders } from '../providers/create.ts';
import { examineConfigured } from '../providers/examine-configured.ts';
import type { OwedEnds } from '../store/sessions/owed-ends.ts';
import type { Store } from '../store/store.ts';
import type { ConfigChoice } from '../wire/settings.ts';
import { ownHosts, ownListeners, sealKeys } from './gate-settings.ts';

export type Rooms = {
  readonly login: Login;
  readonly recheck: Recheck;
  readonly controlSettings: ControlSettings;
};

export type RoomDeps = {
  readonly store: Store;
  /** Outlives a reload, with what it has learnt of accounts' providers. */
  readonly book: ProviderBook;
  readonly findShare: (id: ShareId) => Share | undefined;
  readonly audit: (event: AuditEvent) => void;
  readonly audited: (event: AuditEvent) => void;
  /** Outlives a reload, too. */
  readonly owedEnds: OwedEnds;
  readonly tokensOwed: () => void;
  /** Outlives a reload, so that a reload does not forgive what was counted. */
  readonly limiter: CallbackLimit;
  readonly askLimit: AskLimit;
  readonly places: ProviderPlaces;
  readonly auditFailure: AuditFailure;
  /** Who said which file is the configuration. */
  readonly configChosenBy: ConfigChoice;
  readonly now: () => number;
  readonly log: Log;
};

/** `awaitsRestart`: keys that are not as the file has them by now, until a restart. */
export function createRooms(config: Config, deps: RoomDeps, awaitsRestart: readonly string[]): Rooms {
  const keys = sealKeys(config);
  const seal = createSeal(keys);
  const { book } = deps;
  const rules = { outboundAllow: config.outboundAllow, ownListeners: ownListeners(config) };
  book.useConfigured(createProviders(config.oauth.providers, { now: deps.now }), rules);
  const { endpointUrl } = config.oauth;
  const examineByName = createConfiguredExaminer(config.oauth.providers, (settings) =>
    examineConfigured(settings, { now: deps.now, endpointUrl }),
  );
  const shared = {
    provider: book.find,
    findShare: deps.findShare,
    sessions: deps.store.sessions,
    audit: deps.audit,
    audited: deps.audited,
    places: deps.places,
    now: deps.now,
    log: deps.log,
  };
  return {
    login: createLogin({
      ...shared,
      oauth: config.oauth,
      shareBase: config.gateway.publicUrl,
      controlUrl: config.control.publicUrl,
      attempts: deps.store.attempts,
      accessRequests: deps.store.accessRequests,
      ownerOf: async (share) => (await deps.store.shares.findById(share))?.owner ?? null,
      owedEnds: deps.owedEnds,
      tokensOwed: deps.tokensOwed,
      seal,
      brand: config.brand,
      jwks: assertionKeySet(keys),
      limiter: deps.limiter,
      askLimit: deps.askLimit,
      auditFailure: deps.auditFailure,
    }),
    recheck: createRecheck(shared),
    controlSettings: {
      shareBase: config.gateway.publicUrl,
      gatewayTls: config.gateway.tls,
      forwardedCertificates: config.forwardAuth?.clientCertificates === true,
      clientCertificates: config.control.clientCertificates,
      providersOf: book.usableBy,
      displayNameOf: book.displayNameOf,
      isConfiguredProvider: book.isConfigured,
      examineProvider: async (accountId, name) =>
        (await book.examine(accountId, name, endpointUrl)) ?? examineByName(name),
      endpointUrl,
      cookieDomain: config.oauth.cookieDomain,
      console: {
        publicUrl: config.control.publicUrl,
        intermediateLifetimeMs: config.oauth.intermediateLifetimeMs,
        seal,
        brand: config.brand,
        findProvider: book.find,
        configuredProviders: config.oauth.providers.map(({ name }) => name),
        operators: config.control.operators,
      },
      outboundAllow: config.outboundAllow,
      ownHosts: ownHosts(config),
      directTargets: config.gateway.directTargets,
      ownListeners: ownListeners(config),
      pkiUrl: config.pki?.publicUrl ?? config.control.publicUrl,
      sessionLifetimeMs: config.oauth.sessionLifetimeMs,
      automaticCertificates: config.acme !== null,
      kept: {
        endedRetentionMs: config.store.endedRetentionMs,
        auditRetentionMs: config.store.auditRetentionMs,
      },
      limits: config.limits,
      configuration: {
        file: basename(config.file),
        chosenBy: deps.configChosenBy,
        readAt: deps.now(),
        written: config.written,
        awaitsRestart,
      },
    },
  };
}
