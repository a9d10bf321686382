// Provider definitions as people read them.

import { FIELD_NAMES, type FieldForm, PROVIDER_FIELDS } from '../../domain/provider-fields.ts';
import { isIconName } from '../../domain/provider-icon.ts';
import type { ConfiguredProvider, ProviderObject } from '../../wire/provider.ts';
import { alignedRows, tableText } from '../columns.ts';
import type { Terminal } from '../terminal.ts';

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
    ['id', provider.id],
  ]);
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
      ['NAME', 'TYPE', 'SHARES', 'AT', 'REDIRECT URL'],
      ...providers.map(({ name, type, shares, config, redirectUrl }) => [
        name,
        type,
        String(shares),
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
