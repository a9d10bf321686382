// Whether certificates that come by themselves came, and why not.

import type { Config } from '../../config/config.ts';
import { type Check, fails, passes, warns } from '../../domain/check.ts';
import type { AcmeExamination } from '../../store/acme/examine-acme.ts';

export function acmeChecks(
  config: Config,
  { names, servers }: AcmeExamination,
  now: number,
): readonly Check[] {
  const { acme } = config;
  if (acme === null) return [];
  const good = names.filter(
    ({ notAfter, failures }) => notAfter !== null && notAfter > now && failures === 0,
  );
  const bad = names.filter((name) => !good.includes(name) && name.failures > 0);
  const more = bad.length > MOST_SHOWN ? [tooMany(bad.length - MOST_SHOWN)] : [];
  return [
    ...servers
      .filter(({ directory }) => directory === acme.directory)
      .map(({ lastFailure, retryAt }) =>
        fails('ACME server', `${lastFailure}; next try ${momentText(retryAt)}`, SERVER_HINT),
      ),
    ...(names.length === 0
      ? [passes('public certificates', 'none yet: serve gets them')]
      : [passes('public certificates', `${good.length} of ${names.length} are valid`)]),
    ...bad.slice(0, MOST_SHOWN).map(({ name, notAfter, lastFailure, retryAt }) => {
      const valid = notAfter !== null && notAfter > now;
      const state = valid ? `${name} is valid until ${dayText(notAfter)}` : `${name} has none`;
      const found = `${state}: ${lastFailure}; next try ${momentText(retryAt)}`;
      return valid
        ? warns('public certificate', found, NAME_HINT)
        : fails('public certificate', found, NAME_HINT);
    }),
    ...more,
  ];
}

/** Whether a name is among those that have one now. */
export function isAcquired({ names }: AcmeExamination, host: string, now: number): boolean {
  const wildcard = `*${host.slice(host.indexOf('.'))}`;
  return names.some(
    ({ name, notAfter }) => (name === host || name === wildcard) && notAfter !== null && notAfter > now,
  );
}

function tooMany(count: number): Check {
  return warns('public certificate', `${count} more names whose last try failed`, NAME_HINT);
}

function momentText(at: number | null): string {
  return at === null ? 'soon' : new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const MOST_SHOWN = 5;
const SERVER_HINT = 'Check acme.directory, acme.email, and that this machine reaches the ACME server.';
const NAME_HINT =
  'Check that the name leads to this gateway from outside: port 80 for HTTP-01, port 443 for TLS-ALPN-01, its TXT record for DNS-01.';
