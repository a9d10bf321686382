// GET /v1/shares/{share}/who: the people whom the account knows, and whether each could get in at the share,
// by the gate's own evaluator; and in words, whom its rules speak of.

import { ruleDocument } from '../../domain/access-rule.ts';
import { asksCertificate, rulesOfShare } from '../../domain/share-rules.ts';
import { couldOpen } from '../../domain/known-person.ts';
import { ruleSentence, type TitleOf } from '../../domain/rule-sentence.ts';
import type { Share } from '../../domain/share.ts';
import type { CouldGetIn, KnownPersonObject, RuleSentence, WhoPage } from '../../wire/who.ts';
import { problems } from '../answers.ts';
import { isAllowed } from '../authorize.ts';
import { createCallBudget } from '../call-budget.ts';
import { operation } from '../operation.ts';
import { findShare } from '../shares/find.ts';
import { shareParamsSchema } from '../shares/schema.ts';
import { titlesFor } from '../providers/called.ts';
import { routedNow } from '../shares/view.ts';
import { timeText } from '../time-text.ts';
import { couldGetIn } from './could.ts';
import { inSlices } from './in-slices.ts';
import { type Known, knownPeople } from './known-people.ts';
import { placeText, readPlace } from './place.ts';
import { whoPageSchema, whoQuerySchema } from './schema.ts';

export const listKnownPeople = operation({
  needs: 'sessions.read',
  route: {
    method: 'get',
    path: '/v1/shares/{share}/who',
    operationId: 'listKnownPeople',
    summary: 'List who could get in',
    description:
      'Lists the people that the account knows, and for each whether the gateway would let them in at the share. Address, path, method and the strength of a login are left open. Client certificates are listed for admins and auditors, if a rule asks for them.',
    request: { params: shareParamsSchema, query: whoQuerySchema },
    responses: {
      200: {
        description: 'A page of people. It can have few or no people and still a `nextCursor`.',
        content: { 'application/json': { schema: whoPageSchema } },
      },
      ...problems('share_unknown'),
    },
  },
  make: (deps) => {
    const countPage = createCallBudget(deps.now, {
      perMinute: () => PAGES_PER_MINUTE,
      of: 'lists of who gets in',
      hint: 'Read fewer pages per minute.',
    });
    return async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const caller = c.get('caller');
      const { accountId } = caller;
      const place = readPlace(cursor);
      countPage(accountId);
      const row = await findShare(deps.store.shares, accountId, c.req.valid('param').share);
      const settings = deps.settings();
      const share = routedNow(row, settings);
      const now = deps.now();
      const { people, next } = await knownPeople(deps.store, {
        accountId,
        shareId: row.id,
        providers: settings.providersOf(accountId),
        withCertificates: asksCertificate(share) && isAllowed(caller, 'certificates.read'),
        place,
        limit,
        now,
      });
      const titleOf = titlesFor(settings, accountId);
      const page: WhoPage = {
        share: row.name,
        rules: sentencesOf(share, titleOf),
        items: await inSlices(people, (known) => ({
          ...knownPersonObject(known),
          ...couldGetIn(share, couldOpen(share, known.person, now), titleOf),
        })),
        nextCursor: next === null ? null : placeText(next),
      };
      return c.json(whoPageSchema.parse(page), 200);
    };
  },
});

function knownPersonObject({
  person,
  knownBy,
  certificate,
  at,
}: Known): Omit<KnownPersonObject, keyof CouldGetIn> {
  const { email, provider } = person;
  return {
    email,
    provider,
    certificate:
      certificate === null
        ? null
        : {
            id: certificate.id,
            commonName: certificate.subject.commonName,
            organizationalUnit: certificate.subject.organizationalUnit,
          },
    knownBy,
    knownSince: timeText(at),
  };
}

function sentencesOf(share: Share, titleOf: TitleOf): readonly RuleSentence[] {
  const { rules, providers } = rulesOfShare(share);
  return rules.all.map(({ source, effect, conditions }) => {
    const { text } = ruleSentence(ruleDocument({ effect, conditions }), titleOf);
    const named = providers.filter(({ name }) => conditions.providers?.includes(name) === true);
    const asking = named.filter(({ emailPatterns }) => effect === 'allow' && emailPatterns.length > 0);
    const also = asking.map(
      ({ name, emailPatterns }) =>
        `; ${titleOf(name)} admits ${ruleSentence({ allow: { emails: emailPatterns } }).text}`,
    );
    return { rule: String(source), effect, text: [text, ...also].join('') };
  });
}

/** A person turns pages; a script reads the list once. */
const PAGES_PER_MINUTE = 60;
