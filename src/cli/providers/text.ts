// Provider definitions as people read them.

import { FIELD_NAMES, type FieldForm, PROVIDER_FIELDS } from '../../domain/provider-fields.ts';
import { isIconName } from '../../domain/provider-icon.ts';
import { providerState } from '../../domain/provider-finding.ts';
import type {
  ConfiguredProvider,
  ProviderFindingObject,
  ProviderObject,
  ProviderStanding,
} from '../../wire/provider.ts';
import { alignedRows, tableText } from '../columns.ts';
import type { Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

export function providerText(provider: ProviderObject): string {
  const { config } = provider;
  const fields = FIELD_NAMES.flatMap((name) => {
    const text = TEXTS[PROVIDER_FIELDS[name].form](config[name]);
    return text === undefined ? [] : [[shortLabel(PROVIDER_FIELDS[name].label), text]];
  });
  return alignedRows([
    ['name', provider.name],
    ['type', provider.type],
    ['redirect URL', provider.redirectUrl],
    ['client id', config.clientId],
    ...fields,
    ['state', providerState(provider.lastTest, provider.lastTrial).text],
    ...findingRows(provider),
    ['id', provider.id],
  ]);
}

function findingRows({ lastLoginAt, lastTest, lastTrial }: ProviderStanding) {
  const rows: readonly (readonly [string, string | null])[] = [
    ['last login', lastLoginAt && minuteText(lastLoginAt)],
    ['last test', lastTest && findingText(lastTest)],
    ['last trial', lastTrial && findingText(lastTrial)],
  ];
  return rows.flatMap(([title, text]) => (text === null ? [] : [[title, text]]));
}

function findingText({ at, passed, email, reason, checks, isOutdated }: ProviderFindingObject): string {
  const named = checks.map(({ name }) => name).join(', ');
  const what = email ?? reason ?? (named === '' ? null : named);
  const words = [passed ? 'passed' : 'failed', ...(what === null ? [] : [`(${what})`]), minuteText(at)];
  return `${words.join(' ')}${isOutdated ? ', before the settings changed' : ''}`;
}

/** In a list: `API` and `PKCE` stay as they are. */
function shortLabel(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

export function providerTable(
  providers: readonly ProviderObject[],
  terminal: Pick<Terminal, 'width'>,
): string {
  return tableText(
    [
      ['NAME', 'TYPE', 'SHARES', 'STATE', 'AT', 'REDIRECT URL'],
      ...providers.map(({ name, type, shares, config, redirectUrl, lastTest, lastTrial }) => [
        name,
        type,
        String(shares),
        providerState(lastTest, lastTrial).text,
        config.issuerUrl ?? config.baseUrl ?? '',
        redirectUrl,
      ]),
    ],
    terminal,
  );
}

/** What every account may use; nothing where the configuration has none. */
export function configuredText(configured: readonly ConfiguredProvider[]): string {
  if (configured.length === 0) return '';
  return `Of the configuration: ${configured.map(({ name }) => name).join(', ')}\n`;
}

/** Undefined where there is nothing to tell. */
const TEXTS: Readonly<Record<FieldForm, (value: unknown) => string | undefined>> = {
  address: plainText,
  'document address': plainText,
  'base address': plainText,
  scopes: (value) => ((value ?? []) as readonly string[]).join(' '),
  switch: (value) => (value === undefined ? undefined : value === true ? 'on' : 'off'),
  prompt: (value) => (value === '' ? 'nothing' : plainText(value)),
  claim: plainText,
  claims: listText,
  'acr values': listText,
  duration: plainText,
  'display name': plainText,
  icon: iconText,
  authorities: (value) => (value === undefined ? undefined : 'its own'),
  parameters: parametersText,
  patterns: (value) => ((value ?? []) as readonly string[]).join(', ') || 'any that the share allows',
};

function plainText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** An image is nothing to read. */
function iconText(value: unknown): string | undefined {
  return typeof value === 'string' && !isIconName(value) ? 'its own' : plainText(value);
}

function listText(value: unknown): string | undefined {
  return ((value ?? []) as readonly string[]).join(', ') || undefined;
}

function parametersText(parameters: unknown): string | undefined {
  const all = Object.entries((parameters ?? {}) as Readonly<Record<string, string>>);
  return all.length === 0 ? undefined : all.map(([name, value]) => `${name}=${value}`).join(', ');
}
