// Whether the settings of a share mean something together, judged when it is made and at each change
// (contract 2.3). Pure: the target's address is checked in `target.ts`.

import { type AccessRuleDocument, ruleDocument } from '../../domain/access-rule.ts';
import { rulesOf, type RuleSources } from '../../domain/compile-rules.ts';
import { parseDuration } from '../../domain/duration.ts';
import {
  conditionsOf,
  type LoginProviders,
  loginProviders,
  namedProviders,
  providerNames,
} from '../../domain/named-providers.ts';
import { parseRules } from '../../domain/parse-rules.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Setting } from '../../domain/share-setting.ts';
import {
  hasNeeds,
  isLeftAsItIs,
  isUnset,
  KEPT_SETTINGS,
  keptKey,
  rulesNameProviders,
  type SaidSettings,
  type ShareSettings,
} from '../../domain/share-values.ts';
import { TEXT_SYNTAXES, type TextSyntax } from '../../domain/text-syntax.ts';
import { type InputFault, inputRefused } from '../input-fault.ts';

/** As far as a share refers to it: whose definition it is matters where that can go meanwhile. */
export type NamedProvider = Pick<ProviderRef, 'name' | 'accountId'>;

/**
 * The settings after a change. What the change does not say stays; a setting without what it needs is unset.
 * Throws `validation_failed` with every fault.
 */
export function changeSettings(
  before: ShareSettings,
  change: SaidSettings,
  providers: readonly NamedProvider[],
): ShareSettings {
  const judge = createJudge(providers);
  const kept: Values = before;
  const after: Record<string, unknown> = {};
  for (const [name, setting] of RULES_FIRST) {
    const key = keptKey(name, setting);
    const said = change[name];
    const lacks = !hasNeeds(setting, after);
    if (lacks && said !== undefined && !isUnset(setting, said))
      judge.refuse(name, needsText(setting, said, after['rules'] as Rules));
    if (lacks) after[key] = setting.unset;
    else if (isLeftAsItIs(setting, said, after)) after[key] = kept[key];
    else after[key] = valueAfter(setting, { path: name, said, before: kept[key], judge });
  }
  if (judge.faults.length === 0 && !letsInAnybody(after as ShareSettings))
    judge.refuse('rules', 'no rule allows anybody: add an allow');
  if (judge.faults.length > 0) throw inputRefused(judge.faults);
  return after as ShareSettings;
}

/**
 * Those of the named providers that are being set which the account defines: each can be deleted at the same
 * moment.
 */
export function definitionsNamed(
  { oauthProvider = null, rules = [] }: SaidSettings,
  providers: readonly NamedProvider[],
): readonly string[] {
  const said = new Set(namedProviders({ oauthProvider, rules }));
  return providers.flatMap(({ name, accountId }) => (accountId !== null && said.has(name) ? [name] : []));
}

type Values = Readonly<Record<string, unknown>>;

type Step = {
  readonly path: string;
  /** Undefined when it is not said. */
  readonly said: unknown;
  /** As it is kept. */
  readonly before: unknown;
  readonly judge: Judge;
};

function valueAfter(setting: Setting, { path, said, before, judge }: Step): unknown {
  if (setting.kind === 'duration') {
    if (said === undefined && before !== null) return before;
    const text = typeof said === 'string' ? judge.text(path, 'duration', said) : null;
    return parseDuration(text ?? setting.default);
  }
  if (said === undefined) return before;
  switch (setting.kind) {
    case 'text':
      return said === null ? null : (judge.text(path, setting.syntax, said as string) ?? said);
    case 'names':
      return loginProviders(namesAfter(setting, { path, said: said as LoginProviders, judge }));
    case 'texts': {
      const { syntax, distinct } = setting;
      const texts = (said as readonly string[]).map((text, index) =>
        judge.text(`${path}.${index}`, syntax, text),
      );
      return distinct ? [...new Set(texts)] : texts;
    }
    case 'rules':
      return rulesAfter(said, { path, before: before as Rules, judge });
    case 'section':
      return sectionAfter(setting, { path, said, before, judge });
    default:
      return said;
  }
}

type Names = Extract<Setting, { readonly kind: 'names' }>;

/** A fault of the one is told at the setting, and of several at each. */
function namesAfter(
  { syntax }: Names,
  { path, said, judge }: Pick<Step, 'path' | 'judge'> & { readonly said: LoginProviders },
): readonly string[] {
  return providerNames(said).map(
    (name, index) => judge.text(typeof said === 'string' ? path : `${path}.${index}`, syntax, name) ?? name,
  );
}

type Rules = readonly AccessRuleDocument[];

function rulesAfter(
  said: unknown,
  { path, before, judge }: Pick<Step, 'path' | 'judge'> & { readonly before: Rules },
): Rules {
  const rules = judge.rules(path, said);
  // As with a login: a provider that left the configuration keeps nobody from changing the rest.
  const there = new Set(namedProviders({ oauthProvider: null, rules: before }));
  for (const [index, rule] of rules.entries())
    for (const name of conditionsOf(rule).providers ?? [])
      if (!there.has(name)) judge.text(path, 'provider', name, `rule ${index + 1}, \`providers\`: `);
  return rules;
}

function letsInAnybody(after: ShareSettings): boolean {
  return rulesOf(ruleSources(after)).some(({ effect }) => effect === 'allow');
}

function ruleSources({
  oauthProvider,
  oauthEmailAddressPatterns,
  allowGroups,
  ...others
}: ShareSettings): RuleSources {
  return {
    ...others,
    providers: providerNames(oauthProvider),
    emails: oauthEmailAddressPatterns,
    groups: allowGroups,
    definitions: new Map(),
  };
}

type Section = Extract<Setting, { readonly kind: 'section' }>;

function sectionAfter({ parts }: Section, { path, said, before, judge }: Step): Values | null {
  const was = before as Values | null;
  const { required = was !== null, ...change } = (said ?? { required: false }) as Values;
  const after: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parts)) {
    const at = `${path}.${name}`;
    const text = change[name];
    if (!required && typeof text === 'string') judge.refuse(at, `it needs ${path}.required`);
    else after[name] = valueAfter(part, { path: at, said: text, before: was?.[name] ?? null, judge });
  }
  return required ? after : null;
}

type Judge = {
  readonly faults: readonly InputFault[];
  readonly refuse: (path: string, message: string) => void;
  /** As it is kept; null, and a fault, with the place if it is said, for one that means nothing. */
  readonly text: (path: string, syntax: TextSyntax, text: string, place?: string) => string | null;
  /** As they are kept; none, and a fault, for what is no list of rules. */
  readonly rules: (path: string, said: unknown) => Rules;
};

function createJudge(providers: readonly NamedProvider[]): Judge {
  const faults: InputFault[] = [];
  const refuse = (path: string, message: string): void => void faults.push({ path, message });
  return {
    faults,
    refuse,
    rules: (path, said) => {
      try {
        return parseRules(said).map(ruleDocument);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        refuse(path, error.message);
        return [];
      }
    },
    text: (path, syntax, text, place = '') => {
      try {
        // Only a provider that is being set is judged: a share whose provider left the configuration can
        // still be disabled.
        return syntax === 'provider' ? known(text, providers) : TEXT_SYNTAXES[syntax].judge(text);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        refuse(path, `${place}${error.message}`);
        return null;
      }
    },
  };
}

/** Throws `validation_failed` with those that there are. */
function known(name: string, providers: readonly NamedProvider[]): string {
  if (providers.some((provider) => provider.name === name)) return name;
  const names = providers.map((provider) => provider.name).join(', ');
  const there = names === '' ? 'none is configured' : `available: ${names}`;
  throw new ServiceError('validation_failed', `there is no provider "${name}"; ${there}`);
}

/** `it needs an oauthProvider`. */
function needsText({ kind, needs = [], orRules, inRules }: Setting, said: unknown, rules: Rules): string {
  const what = kind === 'choice' ? `"${String(said)}"` : 'it';
  const needed = needs.map((name) => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`).join(' and ');
  const text = `${what} needs ${needed}${orRules === true ? ', or a rule with providers' : ''}`;
  if (inRules === undefined || !rulesNameProviders(rules)) return text;
  return `${text}; here rules name the providers, so say it in those rules, as ${inRules}`;
}

/** What needs a login may have one by rules. */
const RULES_FIRST = KEPT_SETTINGS.toSorted(
  ([, one], [, other]) => Number(other.kind === 'rules') - Number(one.kind === 'rules'),
);
