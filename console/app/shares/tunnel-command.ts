// The commands that share something from another machine, as a shell there takes them.

import { isLoopbackName } from '../../../src/domain/host-name.ts';
import { NAME_FLAG, SHARE_FLAGS, type ShareFlag } from '../../../src/domain/share-flags.ts';
import { isUnset } from '../../../src/domain/share-values.ts';
import { draftChanges, type SettingsDraft } from './settings-draft.ts';

export type PublicShare = {
  /** What runs there: a port, `http://…`, `https://…` or `unix:/…`. */
  readonly target: string;
  /** Empty for an address that goes with the command. */
  readonly name: string;
  readonly draft: SettingsDraft;
};

/** `doorward share public 3000 --name demo …` */
export function publicCommand({ target, name, draft }: PublicShare): string {
  const changes = draftChanges(draft, 'Who gets in');
  return [
    'doorward share public',
    shellWord(target.trim()),
    ...option(NAME_FLAG, name.trim()),
    ...SHARE_FLAGS.flatMap((flag) => wordsOf(flag, changes[flag.name])),
  ].join(' ');
}

function wordsOf({ setting, part, written, flag }: ShareFlag, said: unknown): readonly string[] {
  if (said === undefined || isUnset(setting, said) || flag.on === 'change') return [];
  // Of a section that is asked for, the flag says no more than that.
  if ('says' in flag) return setting.kind === 'section' || flag.says === said ? [written] : [];
  const value = part === null ? said : (said as Readonly<Record<string, unknown>>)[part];
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((each) => option(written, each as string | null));
}

/** Takes the key from standard input, so that it is in no history. */
export function loginCommand(control: URL): string {
  const isClear = control.protocol === 'http:' && !isLoopbackName(control.hostname);
  return `doorward login --url ${shellWord(control.origin)}${isClear ? ' --allow-plain-http' : ''}`;
}

/** As `doorward share public` takes it. */
export function isLocalTarget(text: string): boolean {
  if (/^\d{1,5}$/.test(text)) return Number(text) > 0 && Number(text) < 65_536;
  if (/^unix:\/./.test(text)) return true;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  return `${url.username}${url.password}${url.search}${url.hash}` === '' && url.pathname === '/';
}

function option(flag: string, value: string | null): readonly string[] {
  if (value === null || value === '') return [];
  // A value that begins with a hyphen would be read as another option.
  return value.startsWith('-') ? [`${flag}=${shellWord(value)}`] : [flag, shellWord(value)];
}

/** One word to a POSIX shell, whatever it holds. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
