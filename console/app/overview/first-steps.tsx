// What somebody who is new here does first, ticked off as it is done.

import type { ReactNode } from 'react';
import type { OverviewObject } from '../../../src/wire/overview.ts';
import { Panel } from '../parts/panel.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';

/** Whether something was shared, and somebody came by. */
export function isBegun({ shares, requests }: OverviewObject): boolean {
  return shares.total > 0 && requests.lastAt !== null;
}

export function FirstSteps({ overview }: { readonly overview: OverviewObject }) {
  const may = useMay();
  const { providers, shares, requests } = overview;
  const steps: readonly StepInput[] = [
    {
      title: 'Add a provider',
      isDone: providers.usable > 0,
      text: 'Where people log in: Google, GitHub, or any OpenID Connect provider.',
      action: may('providers.write') ? (
        <Link href={hrefTo('providers', '+new')}>Add a provider</Link>
      ) : (
        'Ask an admin of your account.'
      ),
    },
    {
      title: 'Create a share',
      isDone: shares.total > 0,
      text: 'A public address for your app, and who may get in.',
      action: <Link href={hrefTo('shares', '+new')}>Create a share</Link>,
    },
    {
      title: 'Open it',
      isDone: requests.lastAt !== null,
      text: 'Log in as a visitor, and watch the request arrive here.',
      action: shares.total > 0 ? <Link href={hrefTo('shares')}>See its address</Link> : null,
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Panel title="Put your app behind a login in three steps">
      <ol className="overview-steps">
        {steps.map((step, index) => (
          <li key={step.title} data-done={step.isDone} aria-current={index === next ? 'step' : undefined}>
            <h3>
              {step.title}
              {step.isDone && <span className="unseen"> (done)</span>}
            </h3>
            <p className="soft">{step.text}</p>
            {!step.isDone && <p>{step.action}</p>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

type StepInput = {
  readonly title: string;
  readonly isDone: boolean;
  readonly text: string;
  readonly action: ReactNode;
};
