// The answer to "who gets in, and why" in one sentence, which names providers as people know them.

import type { RuleConditions } from '../../domain/access-rule.ts';
import { type AskedFacts, saysLogin } from '../../domain/asked-facts.ts';
import type { ExplainedRule } from '../../domain/evaluate-rules.ts';
import { ruleName } from '../../domain/rule-name.ts';
import { conditionText } from '../../domain/rule-text.ts';
import type { TitleOf } from '../../domain/rule-sentence.ts';
import type { Share } from '../../domain/share.ts';
import { asksToken, rulesOfShare } from '../../domain/share-rules.ts';
import type { WouldLetIn } from '../../domain/would-let-in.ts';

type Answered = {
  readonly found: WouldLetIn;
  readonly facts: AskedFacts;
  readonly titleOf: TitleOf;
};

export function detailOf(share: Share, { found, facts, titleOf }: Answered): string {
  const isTokenAlone = typeof facts.token === 'string' && saysLogin(facts) && asksToken(share);
  return `${isTokenAlone ? 'a request with a service token counts without its login: ' : ''}${reasonOf(share, found, titleOf)}`;
}

function reasonOf(share: Share, found: WouldLetIn, titleOf: TitleOf): string {
  const { login } = share;
  const { reason, pattern, providerPattern } = found;
  const names = found.provider === null ? (login?.named ?? []) : [found.provider];
  const provider = names.map(titleOf).join(', ');
  switch (reason) {
    case 'no_login':
      return 'the share has no login: anyone gets in';
    case 'certificate_alone':
      return 'the certificate is sufficient';
    case 'any_address':
      return `anyone who logs in with ${provider} gets in`;
    case 'pattern_matches':
      return [
        ...(pattern === null ? [] : [`the share's pattern ${pattern} matches`]),
        ...(providerPattern === null ? [] : [`the pattern ${providerPattern} of ${provider} matches`]),
      ].join(', and ');
    case 'rule_allows':
      return `allowed by ${named(found)}`;
    case 'more_needed':
      return `it depends on ${missing(share, found, titleOf)}`;
    case 'share_disabled':
      return 'the share is disabled: nobody gets in';
    case 'ambiguous_path':
      return 'other programs could read this path as another one: the gateway refuses it';
    case 'provider_unusable':
      return `the provider ${provider} does not exist: nobody gets in`;
    case 'email_unusable':
      return 'no provider returns such an address: it is not a plain address with one @';
    case 'rule_denies':
      return `denied by ${named(found)}`;
    case 'rule_needed':
      return 'no rule of the share allows it';
    case 'provider_pattern_needed':
      return `none of the patterns of ${provider} matches: ${definitionPatterns(login, found.provider)}`;
    case 'pattern_needed':
      return `none of the share's patterns matches: ${login?.emailPatterns.join(', ') ?? ''}`;
  }
}

function named({ rule, rules }: WouldLetIn): string {
  const found = rules.find(({ source }) => source === rule);
  return found === undefined ? 'a rule' : nameOf(found);
}

/** Of the rule that could let in; where that holds, of the denies that may. */
function missing(share: Share, { rule, rules }: WouldLetIn, titleOf: TitleOf): string {
  const { all } = rulesOfShare(share).rules;
  const open = rules.filter(({ source, held }) => source === rule && held === 'unknown');
  const asking =
    open.length > 0 ? open : rules.filter(({ effect, held }) => effect === 'deny' && held === 'unknown');
  return asking
    .map((each) => {
      const { conditions = {} } = all.find(({ source }) => source === each.source) ?? {};
      const unknown = each.conditions.filter(({ held }) => held === 'unknown');
      const texts = unknown.map(({ name }) => conditionText(called(conditions, titleOf), name));
      return `${texts.join(' and ')} (${nameOf(each)})`;
    })
    .join(', and on ');
}

/** With its providers by the names that people know. */
function called({ providers, ...others }: RuleConditions, titleOf: TitleOf): RuleConditions {
  return providers === undefined ? others : { ...others, providers: providers.map(titleOf) };
}

function nameOf({ source, effect }: ExplainedRule): string {
  return ruleName(String(source), effect);
}

function definitionPatterns(login: Share['login'], name: string | null): string {
  const found = login?.providers.find((each) => each.name === name);
  return found?.provider?.emailPatterns.join(', ') ?? '';
}
