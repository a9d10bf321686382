// Certificates that come by themselves, as the rooms above see them: names, their certificates and keys, the
// order under way, challenges that wait for an answer, the account at the ACME server. Whoever changes any of
// it holds the lease: what a former holder writes late is refused.

import type { AccountId, AcmeAccountId, AcmeNameId } from '../../domain/id.ts';
import type { Secret } from '../../domain/secret.ts';

export type AcmeAccount = {
  readonly id: AcmeAccountId;
  readonly privateKey: Secret;
  /** Another one that was to take its place, and perhaps did. */
  readonly nextKey: Secret | null;
  readonly createdAt: number;
} & Tries;

/** What failed in a row, and until when nothing is tried. */
export type Tries = {
  readonly failures: number;
  readonly retryAt: number | null;
  readonly lastFailure: string | null;
};

export type AcmeName = {
  readonly id: AcmeNameId;
  /** Null for the installation's own. */
  readonly accountId: AccountId | null;
  /** `demo.share.example.com`, `*.share.example.com`. */
  readonly name: string;
  readonly createdAt: number;
  /** Null until it has a certificate. */
  readonly held: HeldDates | null;
  /** Whether an order is under way. */
  readonly ordered: boolean;
} & Tries;

export type HeldDates = {
  readonly notBefore: number;
  readonly notAfter: number;
  readonly renewAt: number;
  readonly checkAt: number;
};

export type ServedCertificate = {
  readonly name: string;
  readonly certificate: string;
  readonly privateKey: Secret;
};

export type AcmeOrder = { readonly url: string; readonly privateKey: Secret };

export type AcmeChallenge = {
  readonly token: string;
  readonly nameId: AcmeNameId;
  readonly kind: string;
  readonly host: string;
  readonly answer: string;
  readonly expiresAt: number;
};

/** How many names may begin, so that nobody burns what the ACME server allows. */
export type AcmeLimits = {
  readonly most: number;
  readonly mostOfWindow: number;
  readonly mostOfAccount: number;
  readonly windowMs: number;
};

export interface AcmeTable {
  /**
   * True for one of all gateways, until `holdMs` are over on the store's clock. Asked again, it is longer.
   */
  takeLease(holder: string, holdMs: number): Promise<boolean>;
  releaseLease(holder: string): Promise<void>;
  /** Made with `privateKey` where there is none. */
  account(directory: string, privateKey: Secret, at: number): Promise<AcmeAccount>;
  /** Whether an account there is to go by another key. */
  keyChangeWaits(directory: string): Promise<boolean>;
  /** Null takes it back. */
  setNextKey(holder: string, id: AcmeAccountId, key: Secret | null): Promise<void>;
  /** The next key is the key. */
  useNextKey(holder: string, id: AcmeAccountId): Promise<void>;
  noteServer(holder: string, id: AcmeAccountId, tries: Tries): Promise<void>;

  /** `later`: the limits do not allow another one now. */
  want(
    wanted: { readonly name: string; readonly accountId: AccountId | null; readonly at: number },
    limits: AcmeLimits | null,
  ): Promise<'known' | 'wanted' | 'later'>;
  names(): Promise<readonly AcmeName[]>;
  /** Null when there is none. */
  find(name: string): Promise<AcmeName | null>;
  /** Certificates that are not over at `now`; those whose key cannot be opened are told of, and left out. */
  served(now: number, unreadable?: (name: string) => void): Promise<readonly ServedCertificate[]>;
  certificate(id: AcmeNameId): Promise<string | null>;
  order(id: AcmeNameId): Promise<AcmeOrder | null>;

  beginOrder(holder: string, id: AcmeNameId, order: AcmeOrder): Promise<void>;
  /** The order's key is the certificate's from now on; the order is over. Gateways are told. */
  finishOrder(
    holder: string,
    id: AcmeNameId,
    issued: HeldDates & Pick<Tries, 'retryAt'> & { readonly certificate: string },
  ): Promise<void>;
  /** `orderIsOver`: the next try begins another. */
  failed(holder: string, id: AcmeNameId, tries: Tries & { readonly orderIsOver: boolean }): Promise<void>;
  plan(holder: string, id: AcmeNameId, plan: Pick<HeldDates, 'renewAt' | 'checkAt'>): Promise<void>;
  /** With its certificate, order and challenges. Gateways are told. */
  remove(holder: string, id: AcmeNameId): Promise<void>;

  present(holder: string, challenge: AcmeChallenge): Promise<void>;
  challenges(): Promise<readonly AcmeChallenge[]>;
  withdraw(holder: string, token: string): Promise<void>;
}

/** What a gateway that lost the lease meets when it writes. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('another gateway orders certificates now');
  }
}
