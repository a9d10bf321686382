// The providers that the operator configured for every account, each with the test that asks it.

import { useMutation } from '@tanstack/react-query';
import { kindOfDefinition } from '../../../src/domain/provider-kinds.ts';
import type { SettingOrigin, SettingsObject, SettingsProvider } from '../../../src/wire/settings.ts';
import { client } from '../api/client.ts';
import { AppIcon } from '../parts/app-icon.tsx';
import { Badge } from '../parts/badge.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Working } from '../parts/working.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { type Origins, OriginText } from './origin-text.tsx';

type ConfiguredProvidersProps = Pick<SettingsObject, 'providers'> & { readonly origins: Origins };

export function ConfiguredProviders({ providers, origins }: ConfiguredProvidersProps) {
  return (
    <Panel title="Providers" about="Every account can use them. Your own are under Providers.">
      {providers.length === 0 ? (
        <p className="soft">The operator configured none.</p>
      ) : (
        <ul className="setting-providers">
          {providers.map((provider) => (
            <ProviderRow
              key={provider.name}
              provider={provider}
              origin={origins.get(`providers.${provider.name}`)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

type ProviderRowProps = { readonly provider: SettingsProvider; readonly origin: SettingOrigin | undefined };

function ProviderRow({ provider: { name, displayName, icon, type }, origin }: ProviderRowProps) {
  const may = useMay();
  const test = useMutation({ mutationFn: () => client.providers.test(name) });
  return (
    <li>
      <div className="setting-provider">
        <span className="with-icon">
          <AppIcon icon={icon} name={displayName} isSmall />
          <span>
            <Link href={hrefTo('providers', name)}>{displayName}</Link>{' '}
            <small className="soft">
              {displayName === name ? '' : `${name} · `}
              {kindOfDefinition(type).title}
            </small>{' '}
            <OriginText origin={origin} />
          </span>
        </span>
        {may('providers.test') && (
          <button
            type="button"
            disabled={test.isPending}
            aria-busy={test.isPending}
            aria-label={`Test ${displayName}`}
            onClick={() => test.mutate()}
          >
            {test.isPending && <Working />}
            {test.isPending ? 'Asking…' : 'Test'}
          </button>
        )}
      </div>
      <div aria-live="polite">
        {test.isError && <ProblemNote error={test.error} />}
        {test.data !== undefined && (
          <p>
            <Badge good={test.data.passed}>{test.data.passed ? 'passed' : 'failed'}</Badge>{' '}
            {test.data.passed ? 'Logins can work.' : 'Logins cannot work yet. Its page has the details.'}
          </p>
        )}
      </div>
    </li>
  );
}
