// `control.operators`: who sees all accounts and gateways at the console. Nobody, unless somebody is named.

import { parseEmailAddress } from '../domain/email-address.ts';
import type { OperatorName } from '../domain/operator.ts';
import { kindOf } from '../domain/provider-kinds.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';
import { type FaultList, quoteValue } from './config-fault.ts';
import { keysOf, OPERATOR_FIELDS } from './describe.ts';
import {
  allRead,
  complete,
  joinPath,
  listAt,
  openSection,
  readText,
  Refusal,
  type Section,
} from './section.ts';

export function readOperators(control: Section): readonly OperatorName[] | undefined {
  if (!control.entries.has('operators')) return [];
  const items = listAt(control, 'operators');
  const operators = items?.map((tree, index) => {
    const path = joinPath(control.path, `operators[${index}]`);
    const section = openSection(control.context, { path, tree, known: keysOf(OPERATOR_FIELDS) });
    if (section === undefined) return undefined;
    return complete({
      provider: readText(section, 'provider', (text) => text),
      email: readText(section, 'email', emailText),
    });
  });
  return operators === undefined ? undefined : allRead(operators);
}

/** A provider that vouches for no address would make nobody an operator, and its name could be a slip. */
export function checkOperators(
  operators: readonly OperatorName[],
  providers: readonly ProviderSettings[],
  list: FaultList,
): void {
  for (const [index, { provider }] of operators.entries()) {
    const path = `control.operators[${index}].provider`;
    const found = providers.find(({ name }) => name === provider);
    if (found === undefined) list.add(path, quoteValue(provider), 'the name of a provider of this file');
    else if (kindOf(found.type).always.requireVerifiedEmail !== true && !found.requireVerifiedEmail)
      list.add(path, quoteValue(provider), 'a provider with require_verified_email: true');
  }
}

function emailText(text: string): string | Refusal {
  return parseEmailAddress(text) ?? new Refusal('an email address');
}
