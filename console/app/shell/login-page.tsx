// The ways in: an identity provider of the configuration, another by its name, or an API key. A key goes to
// the service once; what stays in the browser is a cookie that no script can read.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { logInWithKey, type LoginWay, readLoginWays } from '../api/key-login.ts';
import { Field } from '../parts/field.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useRouter } from '../router.tsx';
import { Brand } from './brand.tsx';
import { rememberPage } from './wanted-page.ts';

export function LoginPage() {
  const { place } = useRouter();
  // Whoever opens it for their own things has no API key, and a device is logged in by a person.
  const forOneself = place.path[0] === 'me';
  const forDevice = place.path[0] === 'device';
  const ways = useQuery({ queryKey: ['login-ways'], queryFn: readLoginWays });
  return (
    <main className="alone">
      <p className="brand">
        <Brand />
      </p>
      <div className="login">
        <h1>Log in</h1>
        <p className="soft">{forOneself ? OWN_THINGS : forDevice ? DEVICE : ACCOUNT}</p>
        {ways.isError && <ProblemNote error={ways.error} retry={ways.refetch} />}
        {ways.data !== undefined && <Providers ways={ways.data} />}
        {!forOneself && !forDevice && (
          <details>
            <summary>Log in with an API key</summary>
            <KeyForm />
          </details>
        )}
        <details>
          <summary>Log in with your organization’s provider</summary>
          <OwnProviderForm />
        </details>
      </div>
    </main>
  );
}

function Providers({ ways }: { readonly ways: readonly LoginWay[] }) {
  return (
    <ul className="ways">
      {ways.map(({ name, displayName }, index) => (
        <li key={name}>
          <a
            className={index === 0 ? 'button primary' : 'button'}
            href={loginHref(name)}
            onClick={rememberPage}
          >
            Log in with {isOnlyOne(ways, displayName) ? displayName : `${displayName} (${name})`}
          </a>
        </li>
      ))}
    </ul>
  );
}

function KeyForm() {
  const [apiKey, setApiKey] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const queries = useQueryClient();
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    setSending(true);
    setError(null);
    try {
      await logInWithKey(apiKey);
      // What whoever was logged in before has read is not for this one.
      await queries.resetQueries();
    } catch (problem) {
      setError(problem);
      setSending(false);
    }
  };
  return (
    <form className="form" onSubmit={(event) => void send(event)}>
      <Field label="API key" help="It begins with dw_. You may do what the key may do, until you log out.">
        {(control) => (
          <input
            {...control}
            type="password"
            required
            autoComplete="off"
            spellCheck={false}
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
          />
        )}
      </Field>
      {error !== null && <ProblemNote error={error} />}
      <div className="actions">
        <button type="submit" disabled={isSending}>
          Log in with the key
        </button>
      </div>
    </form>
  );
}

function OwnProviderForm() {
  const [name, setName] = useState('');
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    rememberPage();
    location.assign(loginHref(name.trim()));
  };
  return (
    <form className="form" onSubmit={open}>
      <Field label="Name of the provider" help="Ask the person who invited you.">
        {(control) => (
          <input
            {...control}
            required
            autoCapitalize="none"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <div className="actions">
        <button type="submit">Continue</button>
      </div>
    </form>
  );
}

const ACCOUNT = 'Shares, providers, sessions and certificates of your organization.';
const DEVICE = 'Then you can confirm “doorward login” with the code that it shows.';
const OWN_THINGS =
  'See your own sessions and certificates. Use the provider that you log in to the app with.';

function loginHref(provider: string): string {
  return `/auth/login?${new URLSearchParams({ provider })}`;
}

/** Two that look the same are told apart by their names. */
function isOnlyOne(ways: readonly LoginWay[], displayName: string): boolean {
  return ways.filter((way) => way.displayName === displayName).length === 1;
}
