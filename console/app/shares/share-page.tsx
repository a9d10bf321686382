// One share: its address, what it reaches, who gets in, and what ends it. Each setting is changed where it is shown.

import { useQueryClient } from '@tanstack/react-query';
import type { Versioned } from '../../../src/client/call.ts';
import type { ShareObject } from '../../../src/client/share-object.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Field } from '../parts/field.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useVersion } from '../parts/use-version.ts';
import { hrefTo, useRouter } from '../router.tsx';
import { AdmissionFields, OpenWarning } from './admission-fields.tsx';
import { admissionChanges, admissionOf } from './admission.ts';
import { EditSection } from './edit-section.tsx';
import { faultAt } from './fault-at.ts';
import { listOf } from './share-changes.ts';
import { LiveRequests } from './live-requests.tsx';
import { ShareSwitch } from './share-switch.tsx';
import { ACCESS_WORDS, certificateText, isOpen, targetText } from './share-words.ts';
import { WouldGetIn } from './would-get-in.tsx';

export function SharePage({ name }: { readonly name: string }) {
  const share = useVersion(['shares', name], () => client.shares.read(name));
  if (share.isError)
    return (
      <>
        <PageHead title={name} />
        <ProblemNote error={share.error} retry={share.refetch} />
      </>
    );
  if (share.data === undefined)
    return (
      <p className="soft" aria-busy="true">
        Loading…
      </p>
    );
  return <Share share={share.data} />;
}

function Share({ share }: { readonly share: Versioned<ShareObject> }) {
  const { value } = share;
  return (
    <>
      <PageHead title={value.name}>
        <ShareSwitch share={share} />
        <Removal share={share} />
      </PageHead>
      <p className="share-address">
        <CopyText text={value.url} label="the address" />
        <a href={value.url} target="_blank" rel="noreferrer">
          Open
        </a>
      </p>
      {isOpen(value) && value.enabled && <OpenWarning />}
      <LiveRequests share={value} />
      <AdmissionSection share={share} />
      <WouldGetIn share={value} />
      <TargetSection share={share} />
      <OriginsSection share={share} />
    </>
  );
}

type SectionProps = { readonly share: Versioned<ShareObject> };

function TargetSection({ share }: SectionProps) {
  if (share.value.target === null)
    return (
      <section className="card" aria-labelledby="reaches">
        <h2 id="reaches">What it reaches</h2>
        <p>{targetText(share.value)}</p>
      </section>
    );
  return (
    <EditSection
      title="What it reaches"
      share={share}
      draftOf={({ target }) => ({ target: target ?? '' })}
      changesOf={({ target }) => ({ target: target.trim() })}
      fields={({ target }, set, faults) => (
        <Field
          label="Target"
          help="What the gateway reaches itself: scheme, host and port."
          fault={faults['target']}
        >
          {(control) => (
            <input
              {...control}
              required
              autoComplete="off"
              inputMode="url"
              spellCheck={false}
              value={target}
              onChange={(event) => set({ target: event.target.value })}
            />
          )}
        </Field>
      )}
    >
      <p>
        <code>{share.value.target}</code>
      </p>
    </EditSection>
  );
}

function AdmissionSection({ share }: SectionProps) {
  const { oauthProvider, oauthEmailAddressPatterns, oauthCheckInterval, clientCertificate, access } =
    share.value;
  return (
    <EditSection
      title="Who gets in"
      share={share}
      draftOf={admissionOf}
      changesOf={admissionChanges}
      fields={(admission, set, faults) => <AdmissionFields admission={admission} set={set} faults={faults} />}
    >
      <dl>
        <div>
          <dt>Log in with</dt>
          <dd>{oauthProvider ?? 'no login'}</dd>
        </div>
        {oauthProvider !== null && (
          <>
            <div>
              <dt>Allowed addresses</dt>
              <dd>
                {oauthEmailAddressPatterns.length === 0
                  ? `any that ${oauthProvider} knows`
                  : oauthEmailAddressPatterns.map((pattern) => <code key={pattern}>{pattern} </code>)}
              </dd>
            </div>
            <div>
              <dt>Checked again every</dt>
              <dd>{oauthCheckInterval}</dd>
            </div>
          </>
        )}
        <div>
          <dt>Client certificate</dt>
          <dd>{clientCertificate === null ? 'none is asked for' : certificateText(clientCertificate)}</dd>
        </div>
        {oauthProvider !== null && clientCertificate !== null && (
          <div>
            <dt>Login and certificate</dt>
            <dd>{ACCESS_WORDS[access]}</dd>
          </div>
        )}
      </dl>
    </EditSection>
  );
}

function OriginsSection({ share }: SectionProps) {
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
        <ul className="plain">
          {allowOrigins.map((origin) => (
            <li key={origin}>
              <code>{origin}</code>
            </li>
          ))}
        </ul>
      )}
    </EditSection>
  );
}

function Removal({ share: { value, etag } }: SectionProps) {
  const queries = useQueryClient();
  const { go } = useRouter();
  const remove = async () => {
    await client.shares.remove(value.id, { ifMatch: etag });
    go(hrefTo('shares'));
    await queries.invalidateQueries({ queryKey: ['shares'] });
  };
  return (
    <Confirm label="Delete" title={`Delete ${value.name}?`} action="Delete" run={remove}>
      <p>
        Its address answers nothing any more, and everybody who is in is cut off. This cannot be undone. The
        name stays this account’s.
      </p>
    </Confirm>
  );
}
