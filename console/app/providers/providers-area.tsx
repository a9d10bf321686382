// Below /console/providers: identity providers that the account defines.

import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import './providers.css';
import { NewProviderPage } from './new-provider-page.tsx';
import { ProviderPage } from './provider-page.tsx';
import { ProvidersPage } from './providers-page.tsx';

export function ProvidersArea({ path }: AreaProps) {
  const [name, ...more] = path;
  if (name === undefined) return <ProvidersPage />;
  if (more.length > 0) return <NothingHere />;
  return name === NEW ? <NewProviderPage /> : <ProviderPage key={name} name={name} />;
}

/** Names of providers are letters, digits and hyphens. */
const NEW = '+new';
