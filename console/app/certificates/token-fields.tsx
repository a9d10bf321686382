// Further fields of a request token: how long it and its certificate are good for, and what else the
// certificate says.

import type { PolicyObject } from '../../../src/wire/certificate.ts';
import { Field } from '../parts/field.tsx';
import { renewableHelp, type TokenInput, validityHelp } from './token-input.ts';

type PartProps = {
  readonly policy: PolicyObject;
  readonly draft: TokenInput;
  readonly change: (part: Partial<TokenInput>) => void;
  readonly faults: Readonly<Record<string, string>>;
};

export function Times({ policy, draft, change, faults }: PartProps) {
  return (
    <>
      <Field label="Certificate valid for" optional help={validityHelp(policy)} fault={faults['validity']}>
        {(control) => (
          <input
            {...control}
            placeholder="30d"
            value={draft.validity}
            onChange={({ target }) => change({ validity: target.value })}
          />
        )}
      </Field>
      <Field
        label="Link valid for"
        optional
        help="Default 24h, at most 7d. The link works only once."
        fault={faults['expiresIn']}
      >
        {(control) => (
          <input
            {...control}
            placeholder="24h"
            value={draft.expiresIn}
            onChange={({ target }) => change({ expiresIn: target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** What most do without; what the account's rules ask for is seen at once. */
export function Naming({ policy, draft, change, faults }: PartProps) {
  const isAsked = policy.organization !== null || policy.organizationalUnits.length > 0;
  const isFaulty = RARE.some((name) => faults[name] !== undefined);
  return (
    <details className="rare" open={isAsked || isFaulty}>
      <summary>Organization, unit, renewal, control API</summary>
      <div className="stack">
        <Organization policy={policy} draft={draft} change={change} faults={faults} />
        <Unit policy={policy} draft={draft} change={change} faults={faults} />
        <Renewable policy={policy} draft={draft} change={change} faults={faults} />
        <ApiRole draft={draft} change={change} fault={faults['apiRole']} />
      </div>
    </details>
  );
}

function Organization({ policy: { organization }, draft, change, faults }: PartProps) {
  return (
    <Field
      label="Organization"
      help={organization === null ? 'Of the person or service.' : 'Set by the account’s rules.'}
      fault={faults['organization']}
    >
      {(control) => (
        <input
          {...control}
          readOnly={organization !== null}
          value={organization ?? draft.organization}
          onChange={({ target }) => change({ organization: target.value })}
        />
      )}
    </Field>
  );
}

function Unit({ policy: { organizationalUnits: units }, draft, change, faults }: PartProps) {
  const isFree = units.length === 0;
  return (
    <Field
      label="Unit"
      help={
        isFree ? 'Shares can require it, for example only Sales.' : 'One of the units in the account’s rules.'
      }
      fault={faults['organizationalUnit']}
    >
      {(control) =>
        isFree ? (
          <input {...control} value={draft.unit} onChange={({ target }) => change({ unit: target.value })} />
        ) : (
          <select {...control} value={draft.unit} onChange={({ target }) => change({ unit: target.value })}>
            {units.map((unit) => (
              <option key={unit}>{unit}</option>
            ))}
          </select>
        )
      }
    </Field>
  );
}

function Renewable({ policy, draft, change, faults }: PartProps) {
  return (
    <Field label="Can be renewed for" optional help={renewableHelp(policy)} fault={faults['renewableFor']}>
      {(control) => (
        <input
          {...control}
          value={draft.renewableFor}
          onChange={({ target }) => change({ renewableFor: target.value })}
        />
      )}
    </Field>
  );
}

type ApiRoleProps = Pick<PartProps, 'draft' | 'change'> & { readonly fault: string | undefined };

function ApiRole({ draft, change, fault }: ApiRoleProps) {
  return (
    <Field
      label="Without an API key"
      help="What its holder may do with only the certificate, if the operator allows certificates at the control API."
      fault={fault}
    >
      {(control) => (
        <select
          {...control}
          value={draft.apiRole}
          onChange={({ target: { value } }) =>
            change({
              apiRole: value === 'tunnel' || value === 'member' || value === 'admin' ? value : '',
            })
          }
        >
          <option value="">nothing</option>
          <option value="tunnel">serve shares through tunnels</option>
          <option value="member">call the control API as a member</option>
          <option value="admin">call the control API as an admin</option>
        </select>
      )}
    </Field>
  );
}

const RARE = ['organization', 'organizationalUnit', 'renewableFor', 'apiRole'];
