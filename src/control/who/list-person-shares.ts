// GET /v1/people/shares: all shares of the account by name, and whether somebody could open each, by the
// gate's own evaluator.

import { certificateOf, couldOpen, type KnownPerson } from '../../domain/known-person.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import type { SeenLogin } from '../../domain/seen-login.ts';
import { shareOrigin } from '../../domain/share-name.ts';
import type { KeptCertificate } from '../../store/certificates/certificate.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { PersonSharesPage } from '../../wire/who.ts';
import { problems } from '../answers.ts';
import { authorize } from '../authorize.ts';
import { createCallBudget } from '../call-budget.ts';
import { unknownCertificate } from '../certificates/show.ts';
import { cursorOf, readCursor } from '../cursor.ts';
import { inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import { titlesFor } from '../providers/called.ts';
import { routedNow } from '../shares/view.ts';
import { timeText } from '../time-text.ts';
import { couldGetIn } from './could.ts';
import { inSlices } from './in-slices.ts';
import { isOfNow } from './known-people.ts';
import { personQuerySchema, personSharesSchema } from './schema.ts';

export const listPersonShares = operation({
  needs: 'sessions.read',
  route: {
    method: 'get',
    path: '/v1/people/shares',
    operationId: 'listPersonShares',
    summary: 'List what a person could open',
    description:
      'Lists all shares, one page at a time, and for each whether the gateway would let this person in. Groups and claims are those that providers named at logins of the last week. Address, path, method and the strength of a login are left open. Send `email`, `certificate` or both.',
    request: { query: personQuerySchema },
    responses: {
      200: {
        description:
          'A page of shares, sorted by name. It can have fewer shares than `limit` and still a `nextCursor`.',
        content: { 'application/json': { schema: personSharesSchema } },
      },
      ...problems('certificate_unknown'),
    },
  },
  make: (deps) => {
    const countPage = createCallBudget(deps.now, {
      perMinute: () => PAGES_PER_MINUTE,
      of: 'lists of what people open',
      hint: 'Read fewer pages per minute.',
    });
    return async (c) => {
      const { limit, cursor, email, provider, certificate } = c.req.valid('query');
      const caller = c.get('caller');
      const { accountId } = caller;
      if (email === undefined && certificate === undefined)
        throw inputRefused([{ path: 'email', message: 'send email or certificate' }]);
      if (certificate !== undefined) authorize(caller, 'certificates.read');
      countPage(accountId);
      const { store } = deps;
      const settings = deps.settings();
      const now = deps.now();
      const shown = certificate === undefined ? null : await store.certificates.find(accountId, certificate);
      if (certificate !== undefined && !isUsable(shown, now)) throw unknownCertificate(certificate);
      const logins =
        email === undefined
          ? []
          : latestOfNow(await store.sessions.loginsOf({ accountId, email }), {
              providers: settings.providersOf(accountId),
              provider: provider ?? null,
            });
      const person: KnownPerson = {
        email: email ?? null,
        provider: provider ?? null,
        facts: new Map(logins.map((login) => [login.provider, login.facts])),
        certificate: shown === null ? undefined : certificateOf(shown.subject),
      };
      const after = readCursor(cursor);
      const { shares, next } = await store.shares.list(accountId, {
        after: after === null ? null : [after],
        limit,
      });
      const titleOf = titlesFor(settings, accountId);
      const judge = (row: ShareRow) => {
        const share = routedNow(row, settings);
        const could = couldOpen(share, person, now);
        const url = shareOrigin(row.name, settings.shareBase);
        const { provider: at } = could.found;
        return { id: row.id, share: row.name, url, provider: at, ...couldGetIn(share, could, titleOf) };
      };
      const items = await inSlices(shares, judge, MOST_WORK_MS);
      // Where that took long, the page ends before the share that comes next.
      const isWhole = items.length === shares.length;
      const last = isWhole && next === null ? null : (items.at(-1)?.share ?? null);
      const page: PersonSharesPage = {
        logins: logins.map(({ provider: at, facts, at: time }) => ({
          provider: at,
          groups: facts?.groups ?? null,
          at: timeText(time),
        })),
        items,
        nextCursor: last === null ? null : cursorOf(last),
      };
      return c.json(personSharesSchema.parse(page), 200);
    };
  },
});

/** One that is over, or an agent's, opens no share. */
function isUsable(certificate: KeptCertificate | null, now: number): certificate is KeptCertificate {
  if (certificate === null || certificate.revokedAt !== null || certificate.apiRole === 'tunnel')
    return false;
  return certificate.notBefore <= now && now < certificate.notAfter;
}

function latestOfNow(
  logins: readonly SeenLogin[],
  { providers, provider }: { readonly providers: readonly ProviderRef[]; readonly provider: string | null },
): readonly SeenLogin[] {
  return logins.filter(
    (login) => isOfNow(providers, login) && (provider === null || login.provider === provider),
  );
}

/** A person turns pages; a script reads the list once. */
const PAGES_PER_MINUTE = 60;
/** Of one page: a share with as many patterns as it may have takes tens of milliseconds. */
const MOST_WORK_MS = 200;
