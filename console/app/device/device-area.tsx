// Below /console/device: a member logs the command line in (RFC 8628). The code is typed from the device's
// own screen, never taken from the address; what is asked for, and from where, is shown before anything is
// allowed.

import { useState } from 'react';
import type { DeviceLoginObject } from '../../../src/wire/device-login.ts';
import { client } from '../api/client.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Note } from '../parts/note.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { useMember } from '../shell/session-context.ts';
import { AskingDevice } from './asking-device.tsx';

export function DeviceArea({ path }: AreaProps) {
  return path.length === 0 ? <DevicePage /> : <NothingHere />;
}

/** `login`: what shows that code. */
type Stage =
  | { readonly kind: 'code' }
  | { readonly kind: 'asked'; readonly userCode: string; readonly login: DeviceLoginObject }
  | { readonly kind: 'allowed' | 'denied' };

function DevicePage() {
  const { kind } = useMember();
  const [stage, setStage] = useState<Stage>({ kind: 'code' });
  return (
    <>
      <PageHead title="Log in a device" about="Enter the code that “doorward login” shows on the device." />
      {kind === 'member' ? (
        <DeviceStage stage={stage} go={setStage} />
      ) : (
        <Note>
          <p>You are logged in with an API key. To log in a device, log in with an identity provider.</p>
        </Note>
      )}
    </>
  );
}

type DeviceStageProps = { readonly stage: Stage; readonly go: (next: Stage) => void };

function DeviceStage({ stage, go }: DeviceStageProps) {
  switch (stage.kind) {
    case 'code':
      return <CodeForm found={(userCode, login) => go({ kind: 'asked', userCode, login })} />;
    case 'asked':
      return <AskingDevice {...stage} decided={(kind) => go({ kind })} />;
    case 'allowed':
      return (
        <Note tone="good">
          <p>The device is logged in. You can close this page and go back to it.</p>
        </Note>
      );
    case 'denied':
      return (
        <Note>
          <p>The login was denied. The device got no access.</p>
        </Note>
      );
  }
}

type CodeFormProps = { readonly found: (userCode: string, login: DeviceLoginObject) => void };

function CodeForm({ found }: CodeFormProps) {
  const [code, setCode] = useState('');
  return (
    <Panel title="Code on the device">
      <Form action="Continue" send={async () => found(code, await client.own.findDevice(code))}>
        {(faults) => (
          <Field label="Code" help="Eight letters, such as BCDF-GHJK." fault={faults['userCode']}>
            {(control) => (
              <input
                {...control}
                required
                maxLength={20}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                value={code}
                onChange={({ target }) => setCode(target.value)}
              />
            )}
          </Field>
        )}
      </Form>
    </Panel>
  );
}
