// The commands that share something from another machine, as a shell there takes them.

import { SHARE_FLAGS } from '../../../src/wire/share-flags.ts';
import { type Admission, admissionChanges } from './admission.ts';

export type TunnelWish = {
  /** What runs there: a port, `http://…`, `https://…` or `unix:/…`. */
  readonly target: string;
  /** Empty for an address that goes with the command. */
  readonly name: string;
  readonly admission: Admission;
};

/** `doorward share public 3000 --name demo …` */
export function publicCommand({ target, name, admission }: TunnelWish): string {
  const wish = admissionChanges(admission);
  const { clientCertificate: certificate } = wish;
  return [
    'doorward share public',
    shellWord(target.trim()),
    ...option(SHARE_FLAGS.name, name.trim()),
    ...option(SHARE_FLAGS.provider, wish.oauthProvider),
    ...(wish.oauthEmailAddressPatterns ?? []).flatMap((pattern) => option(SHARE_FLAGS.pattern, pattern)),
    ...option(SHARE_FLAGS.interval, wish.oauthCheckInterval),
    ...(certificate ? [SHARE_FLAGS.certificate] : []),
    ...option(SHARE_FLAGS.subject, certificate?.subject),
    ...option(SHARE_FLAGS.unit, certificate?.unit),
    ...(wish.access === 'either' ? [SHARE_FLAGS.either] : []),
    ...(wish.open === true ? [SHARE_FLAGS.open] : []),
  ].join(' ');
}

/** Takes the key from standard input, so that it is in no history. */
export function loginCommand(control: URL): string {
  const isClear = control.protocol === 'http:' && !isLoopback(control.hostname);
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

function option(flag: string, value: string | null | undefined): readonly string[] {
  if (value === null || value === undefined || value === '') return [];
  // A value that begins with a hyphen would be read as another option.
  return value.startsWith('-') ? [`${flag}=${shellWord(value)}`] : [flag, shellWord(value)];
}

/** One word to a POSIX shell, whatever it holds. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '[::1]';
}
