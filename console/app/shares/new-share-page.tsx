// Makes a share that the gateway reaches itself, or says how one is made from where the thing runs.

import { Choice } from '../parts/choice.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { hrefTo, useQueryValue } from '../router.tsx';
import { DirectShare } from './direct-share.tsx';
import { TunnelShare } from './tunnel-share.tsx';
import { useProvidersRead } from '../parts/use-providers.ts';

export function NewSharePage() {
  const [how, choose] = useQueryValue('how');
  const place = how === 'tunnel' || how === 'behind' ? how : '';
  return (
    <>
      <PageHead
        title="New share"
        about="A public address for your app, with a login in front of it."
        back={{ title: 'Shares', href: hrefTo('shares') }}
      />
      <Choice label="Where does it run?" value={place} options={PLACES} change={choose} />
      <NewShare place={place} />
    </>
  );
}

/**
 * A share begins with a login. Before it is known which there are, a form would offer to make one that is
 * open to everyone.
 */
function NewShare({ place }: { readonly place: Place }) {
  const providers = useProvidersRead();
  if (providers.state === 'reading') return <Loading what="the providers" />;
  if (providers.state === 'failed') return <ProblemNote error={providers.error} retry={providers.again} />;
  return place === 'tunnel' ? <TunnelShare /> : <DirectShare behind={place === 'behind'} />;
}

type Place = (typeof PLACES)[number]['value'];

const PLACES = [
  {
    value: '',
    title: 'The gateway reaches it',
    about: 'On the gateway’s machine, or on a server or container in its network. The share is live at once.',
  },
  {
    value: 'tunnel',
    title: 'It runs elsewhere',
    about:
      'On another machine: a laptop, behind NAT, in another network. One command there opens a tunnel; no open port needed.',
  },
  {
    value: 'behind',
    title: 'Behind my own proxy',
    about:
      'nginx, Caddy, HAProxy, Traefik or Envoy forwards to it, and asks Doorward about each request. The share shows the configuration to copy.',
  },
] as const;
