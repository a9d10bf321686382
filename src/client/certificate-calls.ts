// Calls about certificates.

import { type Call, type Condition, pathPart, searchQuery, type Versioned } from './call.ts';
import type { CertificateOrder, RequestTokenOrder, SortName } from '../domain/list-orders.ts';
import type {
  AuthoritiesObject,
  AuthorityObject,
  CertificateObject,
  CertificatePage,
  MadeToken,
  NewTokenObject,
  PolicyChanges,
  PolicyObject,
  RedeemedCertificate,
  RedeemInput,
  RenewalInput,
  RevocationOfInput,
  RevocationInput,
  RevokedCertificates,
  TokenObject,
  TokenPage,
} from '../wire/certificate.ts';

export type CertificateSearch = {
  readonly email?: string | undefined;
  /** Part of the name, the subject, the serial or the fingerprint. */
  readonly q?: string | undefined;
  /** The id of the token that they go back to. */
  readonly token?: string | undefined;
  readonly state?: string | undefined;
  /** A duration: `14d`. */
  readonly expiresWithin?: string | undefined;
  readonly sort?: SortName<CertificateOrder> | undefined;
};

export type TokenSearch = {
  readonly state?: 'open' | 'used' | 'expired' | undefined;
  readonly sort?: SortName<RequestTokenOrder> | undefined;
};

type PageInput = { readonly cursor?: string | null; readonly limit?: number };

/**
 * Each throws what the API answers: `token_unknown`, `certificate_unknown`, `policy_violation`,
 * `insecure_channel`…
 */
export type CertificateCalls = {
  readonly createToken: (token: NewTokenObject) => Promise<MadeToken>;
  readonly listTokens: (search?: PageInput & TokenSearch) => Promise<TokenPage>;
  readonly showToken: (token: string) => Promise<TokenObject>;
  readonly removeToken: (token: string) => Promise<void>;
  readonly list: (search?: PageInput & CertificateSearch) => Promise<CertificatePage>;
  /** By id, serial or fingerprint. */
  readonly show: (certificate: string) => Promise<CertificateObject>;
  readonly revoke: (certificate: string, input: RevocationInput) => Promise<CertificateObject>;
  readonly revokeAllOf: (emailAddress: string, input: RevocationInput) => Promise<RevokedCertificates>;
  /** One that the service may not know, by its serial number or as PEM. */
  readonly revokeNamed: (input: RevocationOfInput) => Promise<RevokedCertificates>;
  readonly authorities: () => Promise<AuthoritiesObject>;
  readonly rotateAuthority: () => Promise<AuthorityObject>;
  /** Needs no API key. */
  readonly redeem: (input: RedeemInput) => Promise<RedeemedCertificate>;
  /** Of the client certificate that the client calls with. */
  readonly renew: (input: RenewalInput) => Promise<RedeemedCertificate>;
  readonly policy: () => Promise<PolicyObject>;
  readonly readPolicy: () => Promise<Versioned<PolicyObject>>;
  readonly setPolicy: (policy: PolicyChanges, condition?: Condition) => Promise<PolicyObject>;
};

export function certificateCalls(call: Call): CertificateCalls {
  return {
    createToken: async (token) => call('POST', TOKENS, token),
    listTokens: async (search = {}) => call('GET', `${TOKENS}?${searchQuery(search)}`),
    showToken: async (token) => call('GET', `${TOKENS}/${pathPart(token, 'token_unknown')}`),
    removeToken: async (token) => call('DELETE', `${TOKENS}/${pathPart(token, 'token_unknown')}`),
    list: async (search = {}) => call('GET', `${CERTIFICATES}?${searchQuery(search)}`),
    show: async (certificate) => call('GET', certificatePath(certificate)),
    revoke: async (certificate, input) => call('POST', `${certificatePath(certificate)}/revoke`, input),
    revokeAllOf: async (emailAddress, input) =>
      call('POST', `${CERTIFICATES}/revoke`, { ...input, emailAddress }),
    revokeNamed: async (input) => call('POST', `${CERTIFICATES}/revoke`, input),
    authorities: async () => call('GET', '/v1/account-ca'),
    rotateAuthority: async () => call('POST', '/v1/account-ca/rotate', {}),
    redeem: async (input) => call('POST', `${CERTIFICATES}/redeem`, input),
    renew: async (input) => call('POST', `${CERTIFICATES}/renew`, input),
    policy: async () => call('GET', '/v1/certificate-policy'),
    readPolicy: async () => call.read('/v1/certificate-policy'),
    setPolicy: async (policy, condition = {}) =>
      call.onlyIf(condition)('PATCH', '/v1/certificate-policy', policy),
  };
}

function certificatePath(certificate: string): string {
  return `${CERTIFICATES}/${pathPart(certificate, 'certificate_unknown')}`;
}

const TOKENS = '/v1/certificate-request-tokens';
const CERTIFICATES = '/v1/client-certificates';
