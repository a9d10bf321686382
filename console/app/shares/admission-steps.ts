// "Would this address get in, and why" as the way that somebody with it would go, step by step, up to where
// it ends.

import type { ShareObject } from '../../../src/wire/share.ts';
import type { ShareTest } from '../../../src/wire/share-test.ts';
import { certificateText } from './share-words.ts';

export type Step = {
  readonly passed: boolean;
  readonly text: string;
};

/** The last one that did not pass is why nobody with that address gets in. */
export function admissionSteps(share: ShareObject, found: ShareTest): readonly Step[] {
  if (found.reason === 'share_disabled') return [no('The share is off: nobody gets in.')];
  return [yes('The share is on.'), ...loginSteps(share, found), ...certificateSteps(share, found)];
}

function loginSteps(share: ShareObject, found: ShareTest): readonly Step[] {
  const { provider, email, reason } = found;
  if (provider === null && reason === 'rule_needed') return [no('No rule of the share allows it.')];
  if (provider === null) return [yes('No login is required, so the address does not matter.')];
  if (reason === 'provider_unusable')
    return [no(`The provider ${provider} no longer exists: nobody can log in.`)];
  if (reason === 'email_unusable')
    return [no(`${email} is not a plain address with one @: no provider returns such an address.`)];
  const login = `They log in with ${provider}${found.needsVerifiedEmail ? ', which must say that the address is verified' : ''}.`;
  return [yes(login), ...patternSteps(share, found)];
}

function patternSteps(
  { oauthEmailAddressPatterns: patterns }: ShareObject,
  found: ShareTest,
): readonly Step[] {
  const { provider, pattern, providerPattern, reason, email } = found;
  if (reason === 'provider_pattern_needed')
    return [no(`None of the patterns of ${provider} itself matches ${email}.`)];
  const own =
    providerPattern === null ? [] : [yes(`The pattern ${providerPattern} of ${provider} matches ${email}.`)];
  if (reason === 'rule_needed')
    return [...own, no(`No rule of the share allows ${email}, or one denies it.`)];
  if (reason === 'pattern_needed')
    return [...own, no(`None of the share’s patterns matches ${email}: ${patterns.join(', ')}.`)];
  return [
    ...own,
    yes(
      pattern === null
        ? 'The share has no patterns of its own: any address is allowed.'
        : `The share’s pattern ${pattern} matches ${email}.`,
    ),
  ];
}

function certificateSteps({ clientCertificate }: ShareObject, found: ShareTest): readonly Step[] {
  if (clientCertificate === null || found.certificate === 'none') return [];
  const which = certificateText(clientCertificate);
  if (found.certificate === 'enough') return [yes(`Without a login, ${which} would be enough.`)];
  return found.allowed ? [yes(`They also need ${which}.`)] : [];
}

function yes(text: string): Step {
  return { passed: true, text };
}

function no(text: string): Step {
  return { passed: false, text };
}
