// The options of a share and what they say to the API, made of the record of its settings.

import { type Command, Option } from 'commander';
import type { ShareChanges } from '../../wire/share.ts';
import { loginProviders } from '../../domain/named-providers.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { saysUnset, SHARE_FLAGS, type ShareFlag } from '../../domain/share-flags.ts';
import type { SaidSettings } from '../../domain/share-values.ts';
import { distinctOption, gatheringOption, onceOption } from '../option-parsers.ts';

/** As commander has them: by the names of the flags in camel case. */
export type ShareOptions = Readonly<Record<string, unknown>>;

/**
 * For a new share; or with those that only a share has that is there already, too; or those alone that one of
 * an agent has.
 */
export function addShareOptions(command: Command, on: 'new' | 'change' | 'agent'): Command {
  for (const each of SHARE_FLAGS)
    if (on === 'change' || (each.flag.on === undefined && (on === 'new' || each.setting.file !== undefined)))
      command.addOption(optionOf(each));
  return command;
}

/**
 * What a new share is made with. Throws `usage` for a setting without what it needs, and for a contradiction.
 */
export function newShareSettings(options: ShareOptions): SaidSettings {
  const given = givenFlags(options);
  const hasRules = given.some(({ flag }) => flag.setting.kind === 'rules');
  for (const { flag } of given)
    for (const needed of neededBy(flag))
      if (given.every((other) => other.flag !== needed) && !(hasRules && flag.setting.orRules === true))
        throw lacks(flag, needed, hasRules);
  refuseContradictions(given, 'make');
  return settingsOf(given);
}

/** What is to be changed. Throws `usage` when that is nothing, or contradicts itself. */
export function shareChanges({
  target,
  ...options
}: ShareOptions & { readonly target?: string }): ShareChanges {
  const given = givenFlags(options);
  refuseContradictions(given, 'change');
  const changes = { ...(target === undefined ? {} : { target }), ...settingsOf(given) };
  if (Object.keys(changes).length === 0)
    throw new ServiceError('usage', 'Cannot change the share: no change is given', {
      hint: 'To see the options, run "doorward share modify --help".',
    });
  return changes;
}

type Given = { readonly flag: ShareFlag; readonly value: unknown; readonly isUnset: boolean };

function givenFlags(options: ShareOptions): readonly Given[] {
  return SHARE_FLAGS.flatMap((flag) => {
    const option = new Option(flag.usage);
    const found = options[option.attributeName()];
    const isConstant = 'says' in flag.flag;
    // Of `--either` and `--no-either` commander makes one: true or false.
    const isGiven = isConstant ? found === !option.negate : found !== undefined && found !== false;
    const value = isConstant ? flag.flag.says : valueOf(flag, found);
    return isGiven ? [{ flag, value, isUnset: saysUnset(flag, value) }] : [];
  });
}

/** Of names that are given once, the name alone. */
function valueOf({ setting }: ShareFlag, found: unknown): unknown {
  return setting.kind === 'names' ? loginProviders(found as readonly string[]) : found;
}

function settingsOf(given: readonly Given[]): SaidSettings {
  const said: Record<string, unknown> = {};
  for (const { flag, value } of given) {
    const { name, part } = flag;
    const before = said[name];
    // A section that there is to be none of has no parts.
    if (before === null) continue;
    said[name] = part === null ? value : { ...(before as object | undefined), [part]: value };
  }
  return said;
}

function refuseContradictions(given: readonly Given[], verb: string): void {
  for (const one of given)
    for (const other of given)
      if (!other.isUnset && (removes(one, other.flag) || excludes(one, other.flag, given)))
        throw new ServiceError(
          'usage',
          `Cannot ${verb} the share: ${one.flag.written} and ${other.flag.written} contradict each other`,
        );
}

/** What the other one speaks of, or needs, is to go. */
function removes({ flag, isUnset }: Given, other: ShareFlag): boolean {
  if (!isUnset || flag.part !== null) return false;
  return other.name === flag.name || (other.setting.needs?.includes(flag.name) ?? false);
}

function excludes({ flag, isUnset }: Given, other: ShareFlag, given: readonly Given[]): boolean {
  const { excludes: excluded = [], unless } = flag.setting;
  return !isUnset && excluded.includes(other.name) && !given.some((each) => each.flag.name === unless);
}

/** A part needs its section. */
function neededBy({ name, part, setting }: ShareFlag): readonly ShareFlag[] {
  const names = [...(part === null ? [] : [name]), ...(setting.needs ?? [])];
  return names.flatMap(
    (needed) => SHARE_FLAGS.find((flag) => flag.name === needed && flag.part === null) ?? [],
  );
}

function lacks({ written, setting }: ShareFlag, needed: ShareFlag, hasRules: boolean): ServiceError {
  const { hint } = needed.flag;
  if (hasRules && setting.inRules !== undefined)
    return new ServiceError('usage', `Cannot create the share: ${written} needs ${needed.written}`, {
      hint: `Write it into the rules, as ${setting.inRules}. ${hint ?? ''}`.trim(),
    });
  const message = `Cannot create the share: ${written} needs ${needed.written}`;
  return new ServiceError('usage', message, hint === undefined ? {} : { hint });
}

function optionOf({ usage, flag, setting, part }: ShareFlag): Option {
  if ('says' in flag) return new Option(usage, flag.help);
  if (part !== null) return onceOption(usage, flag.help);
  if (setting.kind === 'names') return distinctOption(usage, flag.help);
  return setting.kind === 'texts' ? gatheringOption(usage, flag.help) : onceOption(usage, flag.help);
}
