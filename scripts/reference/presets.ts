// The part of docs/how-to/openid-connect.md about usual products, from the presets.

import { PRESET_IDS, type PresetId, presetOf } from '../../src/domain/provider-presets.ts';
import type { GivenValues } from '../../src/domain/provider-fields.ts';
import { table } from './table.ts';

/** The guide with that part written again. */
export function withPresets(guide: string): string {
  const [before, rest = ''] = guide.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error('the guide has no place for the presets');
  return `${before}${BEGIN}\n\n${productsTable()}\n${PRESET_IDS.map(product).join('\n')}\n${END}${after}`;
}

function productsTable(): string {
  const rows = PRESET_IDS.map((id) => {
    const { title, issuer, settings } = presetOf(id);
    const { scopes = [], requireVerifiedEmail, groupsClaim = '' }: GivenValues = settings;
    return [
      title,
      `\`${id}\``,
      `\`${issuer}\``,
      `\`[${scopes.join(', ')}]\``,
      `\`${requireVerifiedEmail ?? false}\``,
      `\`${groupsClaim}\``,
    ];
  });
  return table(
    ['Product', 'Preset', '`issuer`', '`scopes`', '`require_verified_email`', '`groups_claim`'],
    rows,
  );
}

function product(id: PresetId): string {
  const { title, register, claims } = presetOf(id);
  const steps = register.map((step, index) =>
    item(`${index + 1}. `, step.replace('{redirectUrl}', REDIRECT)),
  );
  return `### ${title}\n\n${steps.join('')}\n${claims.map((claim) => item('- ', claim)).join('')}`;
}

function item(mark: string, text: string): string {
  const lines: string[] = [];
  let line = mark.trimEnd();
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = `${' '.repeat(mark.length - 1)} ${word}`;
    } else line = `${line} ${word}`;
  }
  return `${[...lines, line].join('\n')}\n`;
}

const BEGIN = '<!-- Written by scripts/reference-docs.ts, from here -->';
const END = '<!-- to here -->';
const REDIRECT = '`<endpoint_url>/<name>/auth/callback`';
/** As all guides have. */
const COLUMNS = 120;
