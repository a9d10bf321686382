// What is wrong with the value of a field of a definition, by the form of the field.

import { compileEmailPattern } from '../../domain/email-pattern.ts';
import { loginParameterFault, MAX_LOGIN_PARAMETERS } from '../../domain/login-parameters.ts';
import { type FieldForm, type FieldName, PROVIDER_FIELDS } from '../../domain/provider-fields.ts';
import {
  DISPLAY_NAME_WANTED,
  ICON_WANTED,
  isDisplayName,
  isProviderIcon,
} from '../../domain/provider-icon.ts';
import type { ProviderKind } from '../../domain/provider-kind.ts';
import {
  isAcrValue,
  isClaimName,
  isPrompt,
  isScope,
  MAX_ACR_VALUES,
  MAX_CLAIMS,
} from '../../domain/provider-rules.ts';
import { isSecureUrl } from '../../domain/secure-url.ts';
import { TEXT_SYNTAXES } from '../../domain/text-syntax.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { authoritiesFault } from '../../x509/trusted-authorities.ts';
import type { InputFault } from '../input-fault.ts';
import { outboundRefusal, type OutboundSettings } from '../outbound-target.ts';

/** Of a field that the type needs and that is not given. */
export function missingFault(name: FieldName, { spelling, neededScopes }: ProviderKind): InputFault {
  const message =
    PROVIDER_FIELDS[name].form === 'scopes'
      ? `list the scopes: ${neededScopes.join(', ')}, and any others that you need`
      : `an ${spelling} provider needs one`;
  return { path: `config.${name}`, message };
}

/** Of a value as the schema takes it; null is none. */
export async function fieldFaults(
  { name, value, kind }: { readonly name: FieldName; readonly value: unknown; readonly kind: ProviderKind },
  settings: OutboundSettings,
): Promise<readonly InputFault[]> {
  if (value === null || value === undefined) return [];
  const found = await JUDGES[PROVIDER_FIELDS[name].form](value as never, { kind, settings });
  return found.map(({ at = '', message }) => ({ path: `config.${name}${at}`, message }));
}

type Found = { readonly at?: string; readonly message: string };
/** The schema made sure that the value is of the form's type. */
type Judge = (
  value: never,
  by: { readonly kind: ProviderKind; readonly settings: OutboundSettings },
) => readonly Found[] | Promise<readonly Found[]>;

const JUDGES: Readonly<Record<FieldForm, Judge>> = {
  address: (text: string, { settings }) => judgeAddress(text, ADDRESS, settings),
  'document address': (text: string, { settings }) => judgeAddress(text, WITH_QUERY, settings),
  'base address': (text: string, { settings }) => judgeAddress(text, ADDRESS, settings),
  scopes: judgeScopes,
  switch: () => [],
  prompt: (text: string) =>
    unless(
      isPrompt(text),
      'use login, consent, select_account or several, separated by spaces, or an empty string',
    ),
  claim: (text: string) => unless(isClaimName(text), 'use the name of a claim, such as upn'),
  claims: (claims: readonly string[]) =>
    judgeDistinct(claims, {
      isSound: isClaimName,
      most: MAX_CLAIMS,
      wanted: 'the name of a claim, such as upn',
    }),
  'acr values': (classes: readonly string[]) =>
    judgeDistinct(classes, {
      isSound: isAcrValue,
      most: MAX_ACR_VALUES,
      wanted: 'a class of authentication (acr), without spaces',
    }),
  duration: (text: string) => {
    const { judge, wanted } = TEXT_SYNTAXES.duration;
    try {
      judge(text);
      return [];
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return [{ message: `use ${wanted}` }];
    }
  },
  'display name': (text: string) => unless(isDisplayName(text), `use ${DISPLAY_NAME_WANTED}`),
  icon: (text: string) => unless(isProviderIcon(text), `use ${ICON_WANTED}, as a base64 data: URL`),
  authorities(text: string) {
    const wrong = authoritiesFault(text);
    return unless(wrong === null, `use CA certificates as PEM; found ${wrong}`);
  },
  parameters: judgeParameters,
  patterns: (patterns: readonly string[]) => patterns.flatMap(judgePattern),
};

function unless(isSound: boolean, message: string): readonly Found[] {
  return isSound ? [] : [{ message }];
}

type Distinct = {
  readonly isSound: (text: string) => boolean;
  readonly most: number;
  readonly wanted: string;
};

function judgeDistinct(list: readonly string[], { isSound, most, wanted }: Distinct): readonly Found[] {
  return [
    ...list.flatMap((text, index) => (isSound(text) ? [] : [{ at: `.${index}`, message: `use ${wanted}` }])),
    ...unless(new Set(list).size === list.length, 'name each once'),
    ...unless(list.length <= most, `use at most ${most}`),
  ];
}

function judgeScopes(
  scopes: readonly string[],
  { kind: { neededScopes } }: { readonly kind: ProviderKind },
): readonly Found[] {
  const missing = neededScopes.filter((scope) => !scopes.includes(scope));
  return [
    ...scopes.flatMap((scope, index) =>
      isScope(scope) ? [] : [{ at: `.${index}`, message: 'one scope, without spaces' }],
    ),
    ...unless(missing.length === 0, `include ${missing.join(', ')}`),
    ...unless(new Set(scopes).size === scopes.length, 'list each scope once'),
  ];
}

function judgeParameters(parameters: Readonly<Record<string, string>>): readonly Found[] {
  const all = Object.entries(parameters);
  return [
    ...unless(all.length <= MAX_LOGIN_PARAMETERS, `use at most ${MAX_LOGIN_PARAMETERS} parameters`),
    ...all.flatMap(([name, value]) => {
      const message = loginParameterFault(name, value);
      return message === null ? [] : [{ message }];
    }),
  ];
}

function judgePattern(pattern: string, index: number): readonly Found[] {
  try {
    compileEmailPattern(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [{ at: `.${index}`, message: error.message }];
  }
}

/**
 * A name that does not resolve now may do so later, and is judged whenever it is called; an address that is
 * forbidden is refused.
 */
async function judgeAddress(
  text: string,
  form: RegExp,
  settings: OutboundSettings,
): Promise<readonly Found[]> {
  const url = form.test(text) ? URL.parse(text) : null;
  if (url === null || !isSecureUrl(url)) return [{ message: 'an https URL without query, fragment or user' }];
  const refused = await outboundRefusal(url, settings);
  if (refused === null) return [];
  return [{ message: 'this address is not allowed (the operator can list it under outbound_allow)' }];
}

const ADDRESS = /^https?:\/\/[^\s/?#@\\\p{Cc}]+(?:\/[^\s?#@\\\p{Cc}]*)?$/iu;
const WITH_QUERY = /^https?:\/\/[^\s/?#@\\\p{Cc}]+(?:\/[^\s#@\\\p{Cc}]*)?$/iu;
