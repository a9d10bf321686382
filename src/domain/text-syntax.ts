// The kinds of text that settings hold, each with what it looks like and how one is judged.

import { APP_ICON_WANTED, parseAppIcon } from './app-icon.ts';
import { parseAddressRange } from './address-range.ts';
import { parseDuration } from './duration.ts';
import { parseEmailAddress } from './email-address.ts';
import { parseHostHeader } from './host-header.ts';
import { compileEmailPattern } from './email-pattern.ts';
import { IDENTITY_PARTS, isIdentityPart } from './identity-part.ts';
import { parseOrigin } from './origin.ts';
import { parsePathRule } from './path-rule.ts';
import { isPlainLine } from './plain-line.ts';
import { isProviderName } from './provider-name.ts';
import { ServiceError } from './service-error.ts';
import { requireTextGlob } from './text-glob.ts';

export type TextSyntax = keyof typeof TEXT_SYNTAXES;

type Syntax = {
  /** What the text is to be, for whoever wrote another. */
  readonly wanted: string;
  /** Answers the text as it is kept. Throws `validation_failed` for a text that means nothing. */
  readonly judge: (text: string) => string;
};

/** What fits beneath a name without being cut. */
const MAX_LINE = 120;

export const TEXT_SYNTAXES = {
  provider: {
    wanted: 'the name of a provider: a-z, 0-9 and -',
    judge: (text) => {
      if (isProviderName(text)) return text;
      throw new ServiceError('validation_failed', `Cannot use "${text.slice(0, 100)}" as a provider's name`);
    },
  },
  emailGlob: {
    wanted: 'an email glob, such as *@example.com',
    judge: (text) => compileEmailPattern(text).text,
  },
  glob: {
    wanted: 'a glob of 1 to 256 characters with at most 16 *, such as build-*.ci',
    judge: (text) => {
      requireTextGlob(text);
      return text;
    },
  },
  path: {
    wanted: 'a path such as /healthz, or the start of one such as /hooks/*',
    judge: (text) => parsePathRule(text).text,
  },
  range: {
    wanted: 'an address or a range such as 10.0.0.0/8 or 2001:db8::/32',
    judge: (text) => {
      if (parseAddressRange(text) !== null) return text;
      throw new ServiceError(
        'validation_failed',
        `Cannot parse range: "${text.slice(0, 100)}": it is no address or range, or has bits set after its prefix`,
      );
    },
  },
  origin: {
    wanted: 'scheme, host and port without a path, such as https://app.example.com',
    judge: parseOrigin,
  },
  hostHeader: {
    wanted: 'target, or a host such as localhost:5173',
    judge: parseHostHeader,
  },
  identityPart: {
    wanted: `one of ${IDENTITY_PARTS.join(', ')}`,
    judge: (text) => {
      if (isIdentityPart(text)) return text;
      throw new ServiceError(
        'validation_failed',
        `Cannot tell an app "${text.slice(0, 100)}" of people: use ${IDENTITY_PARTS.join(', ')}`,
      );
    },
  },
  appIcon: {
    wanted: APP_ICON_WANTED,
    judge: parseAppIcon,
  },
  address: {
    wanted: 'an email address, such as ann@example.com',
    judge: (text) => {
      const address = parseEmailAddress(text);
      if (address !== null) return address;
      throw new ServiceError('validation_failed', `Cannot use "${text.slice(0, 100)}" as an email address`);
    },
  },
  line: {
    wanted: `a line of at most ${MAX_LINE} characters`,
    judge: (text) => {
      if (isPlainLine(text, MAX_LINE)) return text;
      throw new ServiceError(
        'validation_failed',
        `Cannot use "${text.slice(0, 40)}": it is no line of at most ${MAX_LINE} characters`,
      );
    },
  },
  duration: {
    wanted: 'a duration such as 6h, 1h30m, 90s or 30d',
    judge: (text) => {
      parseDuration(text);
      return text;
    },
  },
} as const satisfies Readonly<Record<string, Syntax>>;
