// Who calls with a client certificate (DESIGN "Mutual TLS"). That the caller holds its key, and which
// authority's key signed it, the connection has shown; all else is asked of the store at each call, so that
// what was revoked a moment ago opens nothing. Its role is kept in the store, and never more than whoever
// allowed it has now.

import { X509Certificate } from 'node:crypto';
import type { HonoRequest } from 'hono';
import { keyCounts } from '../console/console-caller.ts';
import type { ConsoleSettings } from '../console/console-settings.ts';
import { isOwnSite } from '../console/own-page.ts';
import { type Actor, parseActor } from '../../domain/actor.ts';
import type { AccountId, ApiKeyId, MemberId } from '../../domain/id.ts';
import type { HeldCertificate } from '../../domain/client-certificate.ts';
import { lesserRights, loginRights, mayServeTunnels, type Rights } from '../../domain/role.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { KeptCertificate } from '../../store/certificates/certificate.ts';
import type { AskedBy, Caller, ControlDeps, ControlEnv } from '../control-deps.ts';

type HolderDeps = Pick<ControlDeps, 'store' | 'now' | 'log'>;

export type RightsDeps = Pick<HolderDeps, 'store' | 'now'> & {
  readonly findProvider: ConsoleSettings['findProvider'];
};

/**
 * The certificate of the connection as it stands. Throws why it counts for nothing: `certificate_required`,
 * `certificate_revoked`…
 */
export async function heldCertificate(
  deps: HolderDeps,
  { certificate: held, address }: Pick<ControlEnv['Bindings'], 'certificate' | 'address'>,
): Promise<KeptCertificate> {
  const found = await judgedCertificate(deps, held);
  noteUse(deps, found, { address, now: deps.now() });
  return found;
}

/** As `heldCertificate`, for one that is looked at again while it is in use. */
export async function judgedCertificate(
  deps: Omit<HolderDeps, 'log'>,
  held: HeldCertificate | null,
): Promise<KeptCertificate> {
  if (held === null)
    throw refusal('certificate_required', 'it carries no client certificate', {
      hint: 'Send a client certificate of your account. On the command line, use --cert and --key.',
    });
  const now = deps.now();
  const { cas, certificates } = deps.store;
  const { authorityId, fingerprint } = held;
  const found = authorityId === null ? null : await certificates.findByFingerprint(fingerprint);
  // Of an authority that is not trusted any more, or whose account is suspended, nothing counts.
  const trusted = found?.caId === authorityId ? await cas.trustedAmong([found.caId], now) : [];
  if (found === null || !trusted.some(({ accountId }) => accountId === found.accountId))
    throw refusal('certificate_foreign', 'its certificate was not issued by a trusted certificate authority');
  if (found.revokedAt !== null) throw refusal('certificate_revoked', 'its certificate was revoked');
  if (!(now >= found.notBefore))
    throw refusal('certificate_not_yet_valid', 'its certificate is not valid yet');
  if (!(now < found.notAfter)) throw refusal('certificate_expired', 'its certificate has expired');
  if (!isForClients(found.der))
    throw refusal('certificate_unfit', 'its certificate is not meant for clients');
  return found;
}

/** The holder as a caller. Throws `not_allowed` for a certificate without a role. */
export async function certificateCaller(
  deps: RightsDeps,
  certificate: KeptCertificate,
  { address, requestId }: AskedBy,
): Promise<Caller> {
  const rights = await rightsNow(deps, certificate);
  if (rights === null)
    throw new ServiceError('not_allowed', `Cannot authorize the call: ${noRole(certificate)}`, {
      hint: 'Send an API key, or ask an admin for a certificate with an API role.',
    });
  return {
    accountId: certificate.accountId,
    role: rights.role,
    scope: rights.scope,
    actor: { kind: 'certificate', id: certificate.id },
    keyId: null,
    keyExpiresAt: certificate.notAfter,
    keyLogin: null,
    sessionHash: null,
    memberId: null,
    address,
    requestId,
  };
}

export type CertificateRights = Rights & {
  /** Whoever allowed it: with that gone, it may do nothing more. */
  readonly maker: ApiKeyId | MemberId;
  /** When the maker expires; null for one that does not. */
  readonly makerExpiresAt: number | null;
};

/**
 * What the certificate may do now: its role, or the lesser one that its maker has by now. Null when it has
 * none, and when its maker is gone or over: a member that was deleted, an API key that was deleted, has
 * expired, or came from a login that counts no more.
 */
export async function rightsNow(
  deps: RightsDeps,
  { accountId, apiRole, allowedBy }: Pick<KeptCertificate, 'accountId' | 'apiRole' | 'allowedBy'>,
): Promise<CertificateRights | null> {
  if (apiRole === null) return null;
  const maker = await makerNow(deps, accountId, parseActor(allowedBy));
  if (maker === null) return null;
  if (apiRole !== 'tunnel')
    return { ...maker, ...lesserRights({ role: apiRole, scope: 'full' }, maker.role) };
  return mayServeTunnels(maker) ? { ...maker, role: 'member', scope: 'tunnel' } : null;
}

type Maker = CertificateRights;

/** A member or a key: nobody else gives a role. */
async function makerNow(deps: RightsDeps, accountId: AccountId, actor: Actor | null): Promise<Maker | null> {
  if (actor?.kind === 'member') return memberNow(deps, accountId, actor.id);
  return actor?.kind === 'key' ? keyNow(deps, accountId, actor.id) : null;
}

async function memberNow(
  { store }: Pick<HolderDeps, 'store'>,
  accountId: AccountId,
  id: MemberId,
): Promise<Maker | null> {
  const member = await store.members.find(accountId, id);
  return member === null ? null : { ...loginRights(member.role), maker: member.id, makerExpiresAt: null };
}

async function keyNow(
  { store, now, findProvider }: RightsDeps,
  accountId: AccountId,
  id: ApiKeyId,
): Promise<Maker | null> {
  const key = await store.apiKeys.find(accountId, id);
  if (key === null || key.scope !== 'full' || !keyCounts(findProvider, key)) return null;
  if (key.expiresAt !== null && now() >= key.expiresAt) return null;
  const by = { maker: key.id, makerExpiresAt: key.expiresAt };
  if (key.memberId === null) return { ...lesserRights(key, 'admin'), ...by };
  const member = await store.members.find(accountId, key.memberId);
  return member === null ? null : { ...lesserRights(key, member.role), ...by };
}

/**
 * Whether the login counts still that a maker of tokens came from: an API key's, or that of whoever allowed a
 * certificate. All else that a maker must be, the store judges as it issues.
 */
export async function isMakerLoggedIn(
  deps: RightsDeps,
  accountId: AccountId,
  maker: Actor | null,
): Promise<boolean> {
  if (maker?.kind === 'certificate') {
    const certificate = await deps.store.certificates.find(accountId, maker.id);
    const allowedBy = parseActor(certificate?.allowedBy ?? '');
    return allowedBy?.kind !== 'certificate' && isMakerLoggedIn(deps, accountId, allowedBy);
  }
  if (maker?.kind !== 'key') return true;
  const key = await deps.store.apiKeys.find(accountId, maker.id);
  return key === null || keyCounts(deps.findProvider, key);
}

/** Asked at each call, since a reload of the configuration changes it. */
export function rightsDeps({
  store,
  now,
  settings,
}: Pick<ControlDeps, 'store' | 'now' | 'settings'>): RightsDeps {
  return { store, now, findProvider: settings().console.findProvider };
}

/**
 * A browser shows its certificate to whatever page asks: pages of others may not (Fetch Metadata, Origin).
 * Throws `foreign_origin`.
 */
export function requireNoForeignPage(request: HonoRequest, publicUrl: URL): void {
  const origin = request.header('origin');
  const isForeign = !isOwnSite(request) || (origin !== undefined && origin !== publicUrl.origin);
  if (isForeign)
    throw new ServiceError(
      'foreign_origin',
      'Cannot use your certificate here: another site made this request',
    );
}

function noRole({ apiRole }: KeptCertificate): string {
  return apiRole === null
    ? 'its certificate has no API role'
    : 'the person who gave its certificate a role no longer has that role';
}

/** RFC 5280 section 4.2.1.12. All that is issued here says so; what is kept is looked at all the same. */
function isForClients(der: Uint8Array): boolean {
  const { ca, keyUsage } = new X509Certificate(der);
  return !ca && keyUsage?.includes(CLIENT_AUTH) === true;
}

/** Nobody waits for it: when it fails, the last use is merely out of date. */
function noteUse(
  { store, log }: HolderDeps,
  { id, fingerprint, lastUsedAt, lastUsedOn }: KeptCertificate,
  { address, now }: { readonly address: string; readonly now: number },
): void {
  if (lastUsedOn === CONTROL && lastUsedAt !== null && now - lastUsedAt < NOTE_EVERY_MS) return;
  store.certificates.seen([{ fingerprint, at: now, on: CONTROL, from: address }]).catch((error: unknown) => {
    log.warn({ err: error, certificateId: id }, 'Cannot record the use of a certificate');
  });
}

function refusal(
  code: Extract<ConstructorParameters<typeof ServiceError>[0], `certificate_${string}`>,
  found: string,
  options: { readonly hint?: string } = {},
): ServiceError {
  return new ServiceError(code, `Cannot authorize the call: ${found}`, options);
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const CONTROL = 'control';
/** The last use is shown to the minute. */
const NOTE_EVERY_MS = 60_000;
