// Presets of providers as people read them.

import { PRESET_IDS, type PresetId, presetOf } from '../../domain/provider-presets.ts';
import { alignedRows, tableText } from '../columns.ts';
import type { Terminal } from '../terminal.ts';

export function presetTable(terminal: Pick<Terminal, 'width'>): string {
  const rows = PRESET_IDS.map((id) => [id, presetOf(id).title, presetOf(id).issuer]);
  return tableText([['PRESET', 'PRODUCT', 'ISSUER'], ...rows], terminal);
}

export function presetText(id: PresetId): string {
  const { issuer, settings, claims } = presetOf(id);
  const facts = alignedRows([
    ['issuer', issuer],
    ['scopes', (settings.scopes ?? []).join(' ')],
    ['verified addresses only', settings.requireVerifiedEmail === true ? 'yes' : 'no'],
  ]);
  return `${facts}\n${registerText(id, 'the redirect URL, which `provider create` prints.')}\n${claims.map(plainText).join('\n')}\n`;
}

/** What to do there, step by step. */
export function registerText(id: PresetId, redirectUrl: string): string {
  const { title, register } = presetOf(id);
  const steps = register.map((step, index) => {
    return `  ${index + 1}. ${plainText(step.replace('{redirectUrl}', () => redirectUrl))}\n`;
  });
  return `At ${title}:\n${steps.join('')}`;
}

/** `**on the screen**` in quotes, and a page with its address behind it. */
function plainText(marked: string): string {
  return marked.replaceAll(/\*\*([^*]+)\*\*/g, '"$1"').replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 ($2)');
}
