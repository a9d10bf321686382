// Host names of their own as people read them.

import type { HostObject } from '../../wire/host.ts';
import { alignedRows, tableText } from '../columns.ts';
import type { Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

export function hostText(host: HostObject): string {
  return alignedRows([
    ['host', host.host],
    ['share', host.share],
    ['state', stateText(host)],
    ['record', `${host.challenge.name} TXT "${host.challenge.value}"`],
    ['since', minuteText(host.provedAt ?? host.createdAt)],
    ['id', host.id],
  ]);
}

export function hostTable(hosts: readonly HostObject[], terminal: Pick<Terminal, 'width'>): string {
  return tableText(
    [
      ['HOST', 'SHARE', 'STATE', 'ID'],
      ...hosts.map((host) => [host.host, host.share, stateText(host), host.id]),
    ],
    terminal,
  );
}

/** What is still to be done for a claimed host. */
export function nextStepText({ host, state, challenge }: HostObject): string {
  if (state === 'active') return `\nPoint ${host} at the gateway, if it does not point there yet.\n`;
  return (
    `\nTo prove that you own it, create this DNS record:\n  ${challenge.name}. TXT "${challenge.value}"\n` +
    `Then: doorward host verify ${host}\n`
  );
}

function stateText({ state, proof }: HostObject): string {
  if (state === 'pending') return 'pending: not verified';
  return proof === 'operator' ? 'active: granted by the operator' : 'active: verified by DNS';
}
