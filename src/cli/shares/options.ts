// The options of a share (contract 2.3) and what they mean to the API.

import type { Command } from 'commander';
import { SHARE_FLAGS } from '../../wire/share-flags.ts';
import type { ShareChanges } from '../../wire/share.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { gatheringOption, onceOption } from '../option-parsers.ts';

export type ShareOptions = {
  readonly target?: string;
  readonly oauthProvider?: string;
  readonly oauthEmailAddressPattern?: readonly string[];
  readonly oauthCheckInterval?: string;
  readonly allowOrigin?: readonly string[];
  readonly requireClientCertificate?: true;
  /** False when the glob is to go: commander reads `--no-…` so. */
  readonly certificateSubject?: string | false;
  readonly certificateUnit?: string | false;
  readonly either?: boolean;
  readonly open?: true;
};

export type RemovalOptions = {
  readonly enabled?: boolean;
  readonly disabled?: boolean;
  /** False when the setting is to go: commander reads `--no-…` so. */
  readonly oauth: boolean;
  readonly oauthEmailAddressPatterns: boolean;
  readonly allowOrigins: boolean;
  readonly clientCertificate: boolean;
};

export function addShareOptions(command: Command): Command {
  return command
    .addOption(
      onceOption(`${SHARE_FLAGS.provider} <name>`, 'let people in who log in with this configured provider'),
    )
    .addOption(
      gatheringOption(
        `${SHARE_FLAGS.pattern} <glob>`,
        'only addresses that match, such as *@example.com; repeatable, any one of them is enough',
      ),
    )
    .addOption(
      onceOption(`${SHARE_FLAGS.interval} <duration>`, 'how often the login is verified again (default: 3h)'),
    )
    .addOption(
      gatheringOption(
        `${SHARE_FLAGS.origin} <origin>`,
        'another site whose pages may use the login here; repeatable',
      ),
    )
    .option(SHARE_FLAGS.certificate, 'let in who holds a client certificate of the account')
    .addOption(
      onceOption(
        `${SHARE_FLAGS.subject} <glob>`,
        'only certificates whose common name matches, such as build-*.ci',
      ),
    )
    .addOption(
      onceOption(`${SHARE_FLAGS.unit} <glob>`, 'only certificates whose organizational unit matches'),
    )
    .option(SHARE_FLAGS.either, 'a login or a certificate is enough; without it, both are needed')
    .option(SHARE_FLAGS.open, 'confirm that everyone may open it, without a login or a certificate');
}

/**
 * What a new share is made with. Throws `usage` for patterns or an interval without a provider, for globs without a
 * certificate, and for a choice without both.
 */
export function newShareSettings(options: ShareOptions): Omit<ShareChanges, 'target'> {
  const { oauthProvider, oauthEmailAddressPattern, oauthCheckInterval } = options;
  if (oauthProvider === undefined && oauthEmailAddressPattern !== undefined)
    throw needsProvider('--oauth-email-address-pattern');
  if (oauthProvider === undefined && oauthCheckInterval !== undefined)
    throw needsProvider('--oauth-check-interval');
  if (options.requireClientCertificate === undefined) {
    if (options.certificateSubject !== undefined) throw needsCertificate('--certificate-subject');
    if (options.certificateUnit !== undefined) throw needsCertificate('--certificate-unit');
    if (options.either === true) throw needsCertificate('--either');
  }
  if (oauthProvider === undefined && options.either === true) throw needsProvider('--either');
  refuseOpenAnd(options, 'make');
  return givenSettings(options);
}

/** What is to be changed. Throws `usage` when that is nothing, or contradicts itself. */
export function shareChanges(options: ShareOptions & RemovalOptions): ShareChanges {
  refuseContradiction(options);
  refuseOpenAnd(options, 'change');
  const changes: ShareChanges = {
    ...(options.target === undefined ? {} : { target: options.target }),
    ...givenSettings(options),
    ...(options.oauth ? {} : { oauthProvider: null }),
    ...(options.oauthEmailAddressPatterns ? {} : { oauthEmailAddressPatterns: [] }),
    ...(options.allowOrigins ? {} : { allowOrigins: [] }),
    ...(options.clientCertificate ? {} : { clientCertificate: null }),
    ...(options.enabled === true ? { enabled: true } : {}),
    ...(options.disabled === true ? { enabled: false } : {}),
  };
  if (Object.keys(changes).length === 0)
    throw new ServiceError('usage', 'Cannot change the share: no change is given', {
      hint: 'See the options with "doorward share modify --help".',
    });
  return changes;
}

function givenSettings(options: ShareOptions): Omit<ShareChanges, 'target'> {
  const { oauthProvider, oauthEmailAddressPattern, oauthCheckInterval, allowOrigin } = options;
  return {
    ...(oauthProvider === undefined ? {} : { oauthProvider }),
    ...(oauthEmailAddressPattern === undefined
      ? {}
      : { oauthEmailAddressPatterns: oauthEmailAddressPattern }),
    ...(oauthCheckInterval === undefined ? {} : { oauthCheckInterval }),
    ...(allowOrigin === undefined ? {} : { allowOrigins: allowOrigin }),
    ...certificateSettings(options),
    ...(options.either === undefined ? {} : { access: options.either ? 'either' : 'all' }),
    ...(options.open === true ? { open: true } : {}),
  };
}

function certificateSettings(options: ShareOptions): Pick<ShareChanges, 'clientCertificate'> {
  const { requireClientCertificate, certificateSubject, certificateUnit } = options;
  const clientCertificate = {
    ...(requireClientCertificate === undefined ? {} : { required: true }),
    ...(certificateSubject === undefined ? {} : { subject: certificateSubject || null }),
    ...(certificateUnit === undefined ? {} : { unit: certificateUnit || null }),
  };
  return Object.keys(clientCertificate).length === 0 ? {} : { clientCertificate };
}

function refuseContradiction(options: ShareOptions & RemovalOptions): void {
  const pairs: readonly (readonly [boolean, unknown, string, string])[] = [
    [!options.oauth, options.oauthProvider, '--no-oauth', '--oauth-provider'],
    [!options.oauth, options.oauthEmailAddressPattern, '--no-oauth', '--oauth-email-address-pattern'],
    [!options.oauth, options.oauthCheckInterval, '--no-oauth', '--oauth-check-interval'],
    [
      !options.oauthEmailAddressPatterns,
      options.oauthEmailAddressPattern,
      '--no-oauth-email-address-patterns',
      '--oauth-email-address-pattern',
    ],
    [!options.allowOrigins, options.allowOrigin, '--no-allow-origins', '--allow-origin'],
    [
      !options.clientCertificate,
      options.requireClientCertificate,
      '--no-client-certificate',
      '--require-client-certificate',
    ],
    [
      !options.clientCertificate,
      options.certificateSubject,
      '--no-client-certificate',
      '--certificate-subject',
    ],
    [!options.clientCertificate, options.certificateUnit, '--no-client-certificate', '--certificate-unit'],
    [!options.clientCertificate, options.either, '--no-client-certificate', '--either'],
    [options.enabled === true, options.disabled, '--enabled', '--disabled'],
  ];
  for (const [first, second, firstFlag, secondFlag] of pairs)
    if (first && second !== undefined)
      throw new ServiceError(
        'usage',
        `Cannot change the share: ${firstFlag} and ${secondFlag} contradict each other`,
      );
}

function refuseOpenAnd(options: ShareOptions, verb: string): void {
  const flags = [
    [options.oauthProvider, '--oauth-provider'],
    [options.requireClientCertificate, '--require-client-certificate'],
  ] as const;
  for (const [value, flag] of flags)
    if (options.open === true && value !== undefined)
      throw new ServiceError('usage', `Cannot ${verb} the share: --open and ${flag} contradict each other`);
}

function needsProvider(flag: string): ServiceError {
  return new ServiceError('usage', `Cannot make the share: ${flag} needs --oauth-provider`, {
    hint: 'Name the provider that people log in with: --oauth-provider NAME.',
  });
}

function needsCertificate(flag: string): ServiceError {
  return new ServiceError('usage', `Cannot make the share: ${flag} needs --require-client-certificate`, {
    hint: 'Ask for certificates: --require-client-certificate.',
  });
}
