// The state of an account as the control API shows and takes it: what `doorward export` writes and `doorward
// apply` sends. A section that is left out is not managed: nothing of it is looked at, changed or deleted.

import type { PolicyChanges } from './certificate.ts';
import type { ProviderConfigObject, ProviderCredentialObject, ProviderType } from './provider.ts';
import type { ShareChanges } from './share.ts';

export type AccountState = {
  readonly providers?: readonly StateProvider[] | undefined;
  readonly shares?: readonly StateShare[] | undefined;
  readonly hosts?: readonly StateHost[] | undefined;
  readonly tokens?: readonly StateToken[] | undefined;
  readonly webhooks?: readonly StateWebhook[] | undefined;
  /** What is left out of it is as in an account that never set one. */
  readonly certificatePolicy?: PolicyChanges | undefined;
};

/** Without a credential it keeps the one that it has. */
export type StateProvider = {
  readonly name: string;
  readonly type: ProviderType;
  readonly config: ProviderConfigObject & ProviderCredentialObject;
};

/** A setting that is left out is that of a share of which nothing was said. */
export type StateShare = ShareChanges & {
  readonly name: string;
  /** Agents serve it. Ephemeral shares are their agents' own, and no part of the state. */
  readonly tunnel?: 'reserved' | undefined;
};

export type StateHost = { readonly host: string; readonly share: string };

/**
 * With one of the two. `expiresIn` counts from when the token is made, and says nothing of one that is there.
 */
export type StateToken = {
  readonly name: string;
  /** Names. */
  readonly shares: readonly string[];
  readonly expiresAt?: string | undefined;
  readonly expiresIn?: string | undefined;
};

/** Names need not be unique: a webhook is found by name and URL, then by name, then by URL. */
export type StateWebhook = {
  readonly url: string;
  readonly name?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
  /** Written, and never read back. Left out: the one it has, or a new one. */
  readonly secret?: string | undefined;
};

export type ApplyInput = {
  readonly state: AccountState;
  /** Deletes what the sections of the state do not have. */
  readonly prune?: boolean | undefined;
  /** Only says what would be done. */
  readonly dryRun?: boolean | undefined;
  /** Of an answer: does exactly that, or nothing. */
  readonly plan?: string | undefined;
};

export const THING_KINDS = ['provider', 'share', 'host', 'token', 'webhook', 'certificate policy'] as const;
export type ThingKind = (typeof THING_KINDS)[number];

export type StateThing = { readonly kind: ThingKind; readonly name: string };

export const STATE_ACTIONS = ['create', 'change', 'replace', 'delete'] as const;

/** A list or an object is JSON, null is none. Of a secret it is told that it changes, and nothing else. */
export type StateField = {
  readonly name: string;
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
  readonly secret?: true | undefined;
};

export type StateChange = StateThing & {
  readonly action: (typeof STATE_ACTIONS)[number];
  readonly fields: readonly StateField[];
};

/** A secret that was made: shown this once. */
export type MadeSecret = {
  readonly kind: 'token' | 'webhook';
  readonly name: string;
  readonly secret: string;
};

export type ApplyAnswer = {
  /** False for a dry run, and where there was nothing to do. */
  readonly applied: boolean;
  /** Names what was found and what is to become of it. */
  readonly plan: string;
  /** In the order in which they are made. */
  readonly changes: readonly StateChange[];
  readonly unchanged: readonly StateThing[];
  /** What the sections of the state do not have, and what stays since nobody asked to prune. */
  readonly kept: readonly StateThing[];
  readonly secrets: readonly MadeSecret[];
  readonly notes: readonly string[];
};
