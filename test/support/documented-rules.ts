// The rules in docs/how-to/who-gets-in.md as somebody who copies them has them: rule files, and commands with
// short forms.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesOfTree } from '../../src/config/rule-tree.ts';
import { readTree } from '../../src/config/yaml-tree.ts';
import { createProgram } from '../../src/cli/program.ts';
import { newShareSettings } from '../../src/cli/shares/options.ts';
import { changeSettings } from '../../src/control/shares/settings.ts';
import type { AccessRuleDocument } from '../../src/domain/access-rule.ts';
import { namedProviders, providerNames } from '../../src/domain/named-providers.ts';
import { providerGeneration, type ProviderRef } from '../../src/domain/provider-ref.ts';
import { Secret } from '../../src/domain/secret.ts';
import { DEFAULT_CHECK_INTERVAL_MS, type Share } from '../../src/domain/share.ts';
import { type SaidSettings, UNSET_SETTINGS } from '../../src/domain/share-values.ts';
import { SHARE } from './decision-rows.ts';

export type Recipe = {
  /** The rule file. */
  readonly file: string;
  /** What follows `share create wiki` where options alone do the same; null where none do. */
  readonly options: readonly string[] | null;
};

export function documentedRecipes(): ReadonlyMap<string, Recipe> {
  const sections = sectionOf('Recipes').split(/^### /m).slice(1);
  return new Map(
    sections.map((text) => {
      const [title = ''] = text.split('\n', 1);
      const [, file = ''] = /^```yaml\n([^]*?)^```/m.exec(text) ?? [];
      const [, command = null] = /^```\ndoorward share create wiki ([^]*?)^```/m.exec(text) ?? [];
      return [title, { file, options: command === null ? null : wordsOf(command) }];
    }),
  );
}

/** Each row: options, and the rules that they stand for. */
export function documentedShortForms(): readonly { readonly options: string; readonly rules: string }[] {
  return [...sectionOf('Short forms').matchAll(/^\| `(--[^|]*)` \| (.*) \|$/gm)].map(
    ([, options = '', rules = '']) => ({
      options,
      rules: [...rules.matchAll(/`([^`]+)`/g)].map(([, rule = '']) => `- ${rule}\n`).join(''),
    }),
  );
}

/** Read as `--rule-file` reads it. */
export function rulesIn(file: string): readonly AccessRuleDocument[] {
  const { root, faults } = readTree(file);
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  return rulesOfTree(root instanceof Map ? root.get('access') : root);
}

export function shareByRules(file: string): Share {
  return shareWith({ rules: rulesIn(file) });
}

/** Read as the command line reads them. */
export function shareByOptions(words: readonly string[]): Share {
  const program = createProgram(
    { out: () => undefined, err: () => undefined, env: {}, readSecret: async () => new Secret('') },
    () => undefined,
  );
  const group = program.commands.find((command) => command.name() === 'share');
  const create = group?.commands.find((command) => command.name() === 'create');
  if (create === undefined) throw new Error('there is no share create');
  create.parseOptions([...words]);
  return shareWith(newShareSettings(create.opts()));
}

export function wordsOf(command: string): readonly string[] {
  const words = command.replaceAll('\\\n', ' ').match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ''));
}

export function generationOf(provider: string): string {
  return PROVIDERS.find(({ name }) => name === provider)?.generation ?? '';
}

/** As the control API keeps it, and the gateway has it. */
function shareWith(said: SaidSettings): Share {
  const { oauthProvider, oauthEmailAddressPatterns, oauthCheckIntervalMs, ...others } = changeSettings(
    UNSET_SETTINGS,
    said,
    PROVIDERS,
  );
  const names = namedProviders({ oauthProvider, rules: others.rules });
  const providers = names.map((name) => ({
    name,
    provider: PROVIDERS.find((each) => each.name === name) ?? null,
  }));
  const login = {
    providers,
    named: providerNames(oauthProvider),
    emailPatterns: oauthEmailAddressPatterns,
    checkIntervalMs: oauthCheckIntervalMs ?? DEFAULT_CHECK_INTERVAL_MS,
  };
  return { ...SHARE, ...others, login: names.length === 0 ? null : login };
}

function sectionOf(title: string): string {
  const [, section = ''] = page.split(`\n## ${title}\n`);
  return section.split(/^## /m, 1)[0] ?? '';
}

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/who-gets-in.md'), 'utf8');

const PROVIDERS: readonly ProviderRef[] = (['corp', 'google', 'github'] as const).map((name) => {
  const type = name === 'corp' ? 'oidc' : name;
  const generation = providerGeneration({
    name,
    type,
    issuer: `https://${name}.example`,
    clientId: 'doorward',
  });
  return { name, type, generation, accountId: null, emailPatterns: [] };
});
