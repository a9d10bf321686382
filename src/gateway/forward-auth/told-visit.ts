// From a proxy's question to a visit that the gate can walk on with: who may ask, what was asked for, which
// share it is, and which certificate came with it.

import { ServiceError } from '../../domain/service-error.ts';
import { hostOrigin } from '../../domain/share-name.ts';
import { asksCertificate, rulesOfShare } from '../../domain/share-rules.ts';
import type { Share } from '../../domain/share.ts';
import { type Connection, PLAIN_CONNECTION } from '../connection.ts';
import { plainAddress, visitorOf } from '../forwarding-headers.ts';
import type { GateParts } from '../gate-parts.ts';
import type { GuardedRequest } from '../guard.ts';
import { normalisedName, OVERRIDES } from '../header-kind.ts';
import type { HostReader } from '../host-reader.ts';
import { ownRoute } from '../own-routes.ts';
import type { RouteTable } from '../route-table.ts';
import { Visit } from '../visit.ts';
import { type Account, readAccount } from './account.ts';
import type { Question } from './dialects.ts';
import type { ForwardedCertificates } from './forwarded-certificate.ts';
import { ToldExchange } from './told-exchange.ts';

export type ToldVisitDeps = {
  readonly hostOf: HostReader;
  readonly routes: RouteTable;
  readonly certificates: ForwardedCertificates;
};

export type Asked = {
  readonly visit: Visit;
  readonly request: GuardedRequest;
  readonly parts: GateParts;
  readonly question: Question;
};

/** Throws `forward_auth_untrusted`, `method_not_allowed`, `forward_auth_invalid`. */
export function toldVisit(deps: ToldVisitDeps, { visit, request, parts, question }: Asked): Visit {
  const { exchange } = visit;
  const { isTrusted } = parts;
  const remote = plainAddress(exchange.remoteAddress);
  parts.requireMayAsk(visit.facts.proxySecret);
  if (question.dialect.method !== null && exchange.method !== 'GET')
    throw new ServiceError('method_not_allowed', 'Cannot use this method here', { extra: { allow: 'GET' } });
  if (hasBody(request)) throw invalid('the question has a body');
  const account = readAccount(exchange, question);
  if (account.scheme !== parts.base.scheme)
    throw invalid(`visitors come over ${parts.base.scheme} alone, and this one came over ${account.scheme}`);
  const host = deps.hostOf(account.authority);
  const share = host === null ? undefined : deps.routes.findByHost(host);
  const told = new Visit(
    new ToldExchange(exchange, {
      account,
      dialect: question.dialect,
      connection:
        share === undefined ? PLAIN_CONNECTION : connectionOf(deps, { account, question, share, parts }),
      loginUrl: (target) =>
        `${hostOrigin(host ?? '', parts.base)}/.svc/login?return_to=${encodeURIComponent(target)}`,
    }),
    visit.id,
  );
  told.visitor = visitorOf(
    exchange.remoteAddress,
    account.forwardedFor,
    (address) => address === remote || isTrusted(address),
  );
  // Its own address is nobody else's.
  if (told.visitor.chain === remote) throw invalid('X-Forwarded-For ends in no address');
  return told;
}

/**
 * What is asked about must be an app's, of a share that is behind a proxy, and mean one thing alone. Throws
 * `share_not_behind`, `not_found`, `ambiguous_path`.
 */
export function requireToldOf(share: Share, { exchange }: Visit): void {
  if (!share.behind)
    throw new ServiceError('share_not_behind', 'Cannot answer a proxy: the share is not behind one', {
      hint: `Run "doorward share modify ${share.name} --behind", if its app is behind that proxy.`,
    });
  if (ownRoute(exchange.target) !== null)
    throw new ServiceError('not_found', 'Cannot answer a proxy: this path is reserved', {
      hint: 'Let the proxy pass on everything below /.svc/, without asking.',
    });
  if (rulesOfShare(share).rules.asksTarget && hasOverride(exchange.rawHeaders))
    throw new ServiceError(
      'ambiguous_path',
      'Cannot accept a request: a header of it can put another path or method in place of its own',
    );
}

/** Only where the operator says that what a client sends under that name never gets here. */
function connectionOf(
  { certificates }: ToldVisitDeps,
  {
    account,
    question,
    share,
    parts,
  }: Pick<Asked, 'question' | 'parts'> & {
    readonly account: Account;
    readonly share: Share;
  },
): Connection {
  const { certificate: text } = account;
  const believed = parts.settings.forwardAuth?.clientCertificates === true;
  if (text === null || !believed || !share.behind || !asksCertificate(share)) return PLAIN_CONNECTION;
  const { form } = question.dialect.certificate;
  return { policy: null, certificate: certificates(text, form, share.accountId) };
}

function hasBody({ body }: GuardedRequest): boolean {
  return body !== 'none' && (body === 'chunked' || body.length > 0);
}

/** They cannot be taken away here: the proxy passes the request on. */
function hasOverride(rawHeaders: readonly string[]): boolean {
  return rawHeaders.some((name, index) => index % 2 === 0 && OVERRIDES.has(normalisedName(name)));
}

function invalid(found: string): ServiceError {
  return new ServiceError('forward_auth_invalid', `Cannot answer a proxy: ${found}`);
}
