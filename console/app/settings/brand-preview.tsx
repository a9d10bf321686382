// The page that asks visitors how to log in, as the service draws it: the same markup and the same style,
// inside an image. No page of the service lets itself be framed; an image runs, loads and leads to nothing.

import { chooserContent } from '../../../src/http/chooser-page.ts';
import { pageBody } from '../../../src/http/page-html.ts';
import { PAGE_STYLE } from '../../../src/http/page-style.ts';
import type { SettingsObject } from '../../../src/wire/settings.ts';
import { Panel } from '../parts/panel.tsx';
import type { Origins } from './origin-text.tsx';
import { SettingFacts } from './setting-facts.tsx';

type Shown = Pick<SettingsObject, 'brand' | 'addresses' | 'providers'>;

export function BrandPreview({ settings, origins }: { readonly settings: Shown; readonly origins: Origins }) {
  const { name, logo, contact } = settings.brand;
  return (
    <Panel title="Brand" about="What visitors see on login and error pages.">
      <figure className="brand-preview">
        <img
          src={pageImage(settings)}
          alt={`A page with the name ${name}${logo === null ? '' : ', the logo'} and the providers to choose from`}
          width={WIDTH}
          height={heightFor(settings)}
        />
        <figcaption>Preview of the page where visitors choose how to log in</figcaption>
      </figure>
      <SettingFacts
        origins={origins}
        facts={[
          { setting: 'brand.name', title: 'Name', value: name },
          {
            setting: 'brand.logo',
            title: 'Logo',
            value: logo === null ? 'None' : 'An image of the operator',
          },
          { setting: 'brand.contact', title: 'Contact', value: contact ?? 'None' },
        ]}
      />
    </Panel>
  );
}

function pageImage(settings: Shown): string {
  const { brand, addresses, providers } = settings;
  const content = chooserContent({
    host: URL.parse(addresses.shares.replace('*', 'wiki'))?.host ?? addresses.shares,
    choices: providers
      .slice(0, MOST_SHOWN)
      .map(({ displayName, icon }) => ({ label: displayName, icon, note: null, href: '' })),
    requestId: null,
  });
  const height = heightFor(settings);
  // In an image, `vh` is of the size that it is shown in.
  const style = `${PAGE_STYLE}body{min-height:${height}px}`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}"><foreignObject width="100%" height="100%"><html xmlns="http://www.w3.org/1999/xhtml"><head><style><![CDATA[${style}]]></style></head>${pageBody(content, brand)}</html></foreignObject></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing.toWellFormed())}`;
}

/** Room for the page's own least. */
function heightFor({ providers }: Shown): number {
  return BASE_HEIGHT + CHOICE_HEIGHT * Math.min(providers.length, MOST_SHOWN);
}

const WIDTH = 560;
const BASE_HEIGHT = 390;
const CHOICE_HEIGHT = 62;
const MOST_SHOWN = 4;
