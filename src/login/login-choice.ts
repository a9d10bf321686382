// The sealed `request` parameter of `/choose`: a login request that leaves the provider to the visitor, with
// those where a login could help. Nothing else says who may be chosen, or where the login leads (DESIGN
// "Several providers").

import { strengthAt } from '../domain/evaluate-rules.ts';
import type { Share } from '../domain/share.ts';
import { rulesOfShare } from '../domain/share-rules.ts';
import {
  type LoginRequest,
  loginRequestFields,
  readLoginRequest,
  sealLoginRequest,
} from './login-request.ts';
import { chooserUrl, loginUrl } from './login-url.ts';
import { readRecord, textField } from './record.ts';
import type { Seal } from './seal.ts';

export type LoginChoice = Omit<LoginRequest, 'providerName'> & {
  /** Names; none where all that the share names are meant, since they did not fit. */
  readonly providerNames: readonly string[];
};

/**
 * Where a login for the share starts: at the one provider where it could help, or where the visitor chooses
 * among several. It must be as strong as any login there must be, unless said.
 */
export function loginStart(
  { seal, endpointUrl }: { readonly seal: Seal; readonly endpointUrl: URL },
  share: Share,
  { providerNames, ...request }: LoginChoice,
): string {
  const [providerName = '', ...others] = providerNames;
  if (others.length > 0) return chooserUrl(endpointUrl, sealLoginChoice(seal, { ...request, providerNames }));
  const strength = request.strength ?? strengthAt(rulesOfShare(share).rules, providerName);
  return loginUrl(endpointUrl, providerName, sealLoginRequest(seal, { ...request, providerName, strength }));
}

export function sealLoginChoice(seal: Seal, { providerNames, ...request }: LoginChoice): string {
  const names = providerNames.join(' ');
  const content = [
    textField(names.length <= MAX_NAMES_LENGTH ? names : '', 2),
    loginRequestFields({ ...request, providerName: '' }),
  ];
  return seal.seal('login-choice', Buffer.concat(content));
}

/** Null when it was not sealed here; `expiresAt` is the caller's to check. Never throws. */
export function openLoginChoice(seal: Seal, sealed: string): LoginChoice | null {
  const content = seal.open('login-choice', sealed);
  if (content === null) return null;
  return readRecord(content, (reader) => {
    const providerNames = reader.text(2).split(' ').filter(Boolean);
    const { providerName: _none, ...request } = readLoginRequest(reader);
    return { ...request, providerNames };
  });
}

/** Of a link to it, where a login did not help. */
export const OTHER_PROVIDER = 'Log in with another provider';
/** Some twenty names. Proxies refuse links of more than 4 to 8 KB, and the return URL is in it, too. */
const MAX_NAMES_LENGTH = 1_024;
