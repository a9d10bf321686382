// Claims that a rule asks for: each with its name and the values of which any is enough.

import { Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icons.tsx';
import type { ClaimDraft } from './rule-draft.ts';

type ClaimsFieldProps = {
  readonly claims: readonly ClaimDraft[];
  readonly change: (claims: readonly ClaimDraft[]) => void;
};

export function ClaimsField({ claims, change }: ClaimsFieldProps) {
  return (
    <>
      {claims.map((each, index) => (
        // They are not moved, and all fields are controlled: the place of a claim is its key.
        <div key={index} className="condition-pair claim">
          <Field label="Claim">
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                placeholder="department"
                value={each.claim}
                onChange={(event) => change(claims.with(index, { ...each, claim: event.target.value }))}
              />
            )}
          </Field>
          <Field label="Values, one per line">
            {(control) => (
              <textarea
                {...control}
                rows={2}
                autoCapitalize="off"
                spellCheck={false}
                value={each.lines}
                onChange={(event) => change(claims.with(index, { ...each, lines: event.target.value }))}
              />
            )}
          </Field>
          {claims.length > 1 && (
            <button
              type="button"
              className="quiet small-button rule-action"
              aria-label={`Remove claim ${each.claim || index + 1}`}
              onClick={() => change(claims.toSpliced(index, 1))}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      <div>
        <button
          type="button"
          className="small-button"
          onClick={() => change([...claims, { claim: '', lines: '' }])}
        >
          <Icon name="plus" />
          Add claim
        </button>
      </div>
    </>
  );
}
