// The name and the logo as the head of the pages that visitors see. The pages themselves let nobody frame
// them, so only their head is drawn here.

import type { SettingsObject } from '../../../src/wire/settings.ts';
import { Facts } from '../parts/facts.tsx';
import { Icon } from '../parts/icons.tsx';
import { Panel } from '../parts/panel.tsx';

export function BrandPreview({ brand: { name, logo, contact } }: Pick<SettingsObject, 'brand'>) {
  return (
    <Panel title="Brand" about="What visitors see at the top of login and error pages.">
      <figure className="brand-preview">
        <div>
          {logo === null ? (
            <span className="brand-mark">
              <Icon name="door" />
            </span>
          ) : (
            <img src={logo} alt="" height="32" />
          )}
          <strong>{name}</strong>
        </div>
        <figcaption>Preview</figcaption>
      </figure>
      <Facts
        facts={[
          { title: 'Name', value: name },
          { title: 'Logo', value: logo === null ? 'None' : 'An image of the operator' },
          { title: 'Contact', value: contact ?? 'None' },
        ]}
      />
    </Panel>
  );
}
