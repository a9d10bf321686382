// What the app may have of the credentials that a visitor sends: not the cookies of the gate, and no service
// token. Under the names of a request, since most proxies copy headers of an answer by their names; empty
// where nothing is left, so that what is copied overwrites.

import { valuesOf } from '../flat-headers.ts';
import { stripRequest, type StripRules } from '../strip.ts';

/** Flat. */
export function appCredentials(rules: StripRules, rawHeaders: readonly string[]): readonly string[] {
  const kept = stripRequest(rules, { rawHeaders, connection: null, host: '', expectsContinue: false });
  return [
    'Cookie',
    valuesOf(kept, 'cookie').join('; '),
    'Authorization',
    valuesOf(kept, 'authorization').join(', '),
    'svc-auth-token',
    '',
  ];
}
