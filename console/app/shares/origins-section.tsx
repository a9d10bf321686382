// Other sites whose pages may use a visitor's login at a share.

import type { Versioned } from '../../../src/client/call.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import { Field } from '../parts/field.tsx';
import { CodeList } from './code-list.tsx';
import { faultAt } from '../parts/faults.ts';
import { EditSection } from './edit-section.tsx';
import { listOf } from './share-changes.ts';

export function OriginsSection({ share }: { readonly share: Versioned<ShareObject> }) {
  const { allowOrigins } = share.value;
  return (
    <EditSection
      title="Other sites that may use it"
      share={share}
      draftOf={(value) => ({ origins: value.allowOrigins.join('\n') })}
      changesOf={({ origins }) => ({ allowOrigins: listOf(origins) })}
      fields={({ origins }, set, faults) => (
        <Field
          label="Allowed origins"
          help="Sites whose pages may use a visitor’s login here, such as https://app.example.com, one a line."
          fault={faultAt(faults, 'allowOrigins')}
        >
          {(control) => (
            <textarea
              {...control}
              rows={3}
              spellCheck={false}
              value={origins}
              onChange={(event) => set({ origins: event.target.value })}
            />
          )}
        </Field>
      )}
    >
      {allowOrigins.length === 0 ? (
        <p className="soft">None: pages of other sites cannot use a visitor’s login here.</p>
      ) : (
        <CodeList items={allowOrigins} />
      )}
    </EditSection>
  );
}
