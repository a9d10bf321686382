// The settings of a share as `agent.yaml` says them: what it leaves out is not said.

import { ServiceError } from '../domain/service-error.ts';
import type { Setting } from '../domain/share-setting.ts';
import { SHARE_SETTINGS, type SettingName } from '../domain/share-settings.ts';
import { isUnset, type SaidSettings, SETTINGS, snakeCase } from '../domain/share-values.ts';
import { TEXT_SYNTAXES, type TextSyntax } from '../domain/text-syntax.ts';
import { sectionFields } from './describe-agent.ts';
import { keysOf } from './describe.ts';
import { rulesOfTree } from './rule-tree.ts';
import {
  fault,
  joinPath,
  openSection,
  type Parser,
  readBoolean,
  readList,
  readText,
  Refusal,
  type Section,
} from './section.ts';

/** Undefined, and faults, for what the control API would not take for a new share either. */
export function readShareSettings(section: Section): SaidSettings | undefined {
  const said: Record<string, unknown> = {};
  let isSound = true;
  for (const [name, setting] of SETTINGS) {
    if (!section.entries.has(snakeCase(name))) continue;
    const value = readSetting(section, snakeCase(name), setting);
    said[name] = value;
    if (value === undefined || (!isUnset(setting, value) && !goesTogether(section, name, setting)))
      isSound = false;
  }
  return isSound ? said : undefined;
}

function readSetting(section: Section, key: string, setting: Setting): unknown {
  switch (setting.kind) {
    case 'text':
      return readText(section, key, textOf(setting.syntax));
    case 'names':
      return readNames(section, key, setting);
    case 'duration':
      return readText(section, key, textOf('duration'));
    case 'texts':
      return readList(section, key, { parse: textOf(setting.syntax), absent: undefined });
    case 'rules':
      return readRules(section, key);
    case 'choice':
      return readText(section, key, choiceOf(Object.keys(setting.choices)));
    case 'section':
      return readParts(section, key, setting);
    default:
      return readBoolean(section, key, undefined);
  }
}

/** One, or a list. */
function readNames(
  section: Section,
  key: string,
  { syntax, most }: Extract<Setting, { readonly kind: 'names' }>,
): unknown {
  const parse = textOf(syntax);
  const tree = section.entries.get(key);
  if (!Array.isArray(tree)) return readText(section, key, parse);
  if (tree.length > 0 && tree.length <= most) return readList(section, key, { parse, absent: undefined });
  return fault(section, key, { found: `${tree.length} items`, wanted: `1 to ${most}` });
}

/** As the control API takes them. */
function readRules(section: Section, key: string): unknown {
  try {
    return rulesOfTree(section.entries.get(key));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return fault(section, key, { found: error.message, wanted: 'a list of rules' });
  }
}

function readParts(
  outer: Section,
  key: string,
  setting: Extract<Setting, { readonly kind: 'section' }>,
): Readonly<Record<string, unknown>> | undefined {
  const path = joinPath(outer.path, key);
  const known = keysOf(sectionFields(setting));
  const section = openSection(outer.context, { path, tree: outer.entries.get(key), known });
  if (section === undefined) return undefined;
  const said: Record<string, unknown> = { required: readBoolean(section, 'required', undefined) };
  for (const [name, part] of Object.entries(setting.parts)) {
    if (!section.entries.has(name)) continue;
    said[name] = readText(section, name, textOf(part.syntax));
    if (said['required'] === false)
      fault(section, name, {
        found: `a ${part.file?.type ?? 'value'} where nothing is required`,
        wanted: 'required: true',
      });
  }
  return Object.values(said).includes(undefined) ? undefined : said;
}

/** The API would refuse to make a share with it. */
function goesTogether(section: Section, name: SettingName, setting: Setting): boolean {
  const { needs = [], orRules, excludes = [], unless } = setting;
  const isByRules = orRules === true && isAskedFor(section, 'rules');
  const lacks = isByRules ? [] : needs.filter((needed) => !isAskedFor(section, needed));
  if (lacks.length > 0)
    fault(section, snakeCase(name), {
      found: `no ${lacks.map(snakeCase).join(' and no ')} beside it`,
      wanted: `${needs.map(inFile).join(' and ')}, too`,
    });
  const isMeant = unless !== undefined && isAskedFor(section, unless);
  const excluded = isMeant ? undefined : excludes.find((other) => isAskedFor(section, other));
  if (excluded !== undefined)
    fault(section, snakeCase(name), { found: `${inFile(excluded)} beside it`, wanted: 'one or the other' });
  return lacks.length === 0 && excluded === undefined;
}

/** Whatever is wrong with it is told where it stands. */
function isAskedFor({ entries }: Section, name: string): boolean {
  const value = entries.get(snakeCase(name));
  return value instanceof Map ? value.get('required') === true : value !== undefined;
}

/** `an oauth_provider`, `a client_certificate with required: true`. */
function inFile(name: string): string {
  const { kind } = SHARE_SETTINGS[name as SettingName];
  if (kind === 'rules') return snakeCase(name);
  const article = /^[aeiou]/.test(name) ? 'an' : 'a';
  return `${article} ${snakeCase(name)}${kind === 'section' ? ' with required: true' : ''}`;
}

/** As it is written. */
function textOf(syntax: TextSyntax): Parser<string> {
  const { judge, wanted } = TEXT_SYNTAXES[syntax];
  return (text) => {
    try {
      judge(text);
      return text;
    } catch (error) {
      if (error instanceof ServiceError) return new Refusal(wanted);
      throw error;
    }
  };
}

function choiceOf(choices: readonly string[]): Parser<string> {
  const wanted = choices.map((choice) => `"${choice}"`).join(' or ');
  return (text) => (choices.includes(text) ? text : new Refusal(wanted));
}
