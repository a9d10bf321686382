// What a device asks for that shows the code, and the decision.

import { useState } from 'react';
import type { DeviceLoginObject } from '../../../src/wire/device-login.ts';
import { client } from '../api/client.ts';
import { Facts } from '../parts/facts.tsx';
import { Form } from '../parts/form.tsx';
import { Note } from '../parts/note.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useMember } from '../shell/session-context.ts';

type AskingDeviceProps = {
  readonly userCode: string;
  readonly login: DeviceLoginObject;
  readonly decided: (kind: 'allowed' | 'denied') => void;
};

export function AskingDevice({ userCode, login, decided }: AskingDeviceProps) {
  const { member, account } = useMember();
  const [isDenying, setDenying] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const decide = async (allow: boolean) => {
    setRefusal(null);
    await client.own.decideDevice({ userCode, allow });
    decided(allow ? 'allowed' : 'denied');
  };
  const deny = async () => {
    setDenying(true);
    try {
      await decide(false);
    } catch (error) {
      setRefusal(error);
      setDenying(false);
    }
  };
  return (
    <Panel title="Allow this device?" about="The device asks to act for you at the control API.">
      <Facts
        facts={[
          { title: 'Device name', value: login.device },
          { title: 'Asked from', value: whereText(login) },
          { title: 'Asked', value: <Moment at={login.createdAt} /> },
          { title: 'Acts as', value: `${member.email}, ${login.role} of ${account.name}` },
          { title: 'May', value: SCOPES[login.scope] },
          { title: 'Its key expires', value: `after ${login.keyExpiresAfter}` },
        ]}
      />
      <Note tone="warn">
        <p>
          Allow it only if you started this login yourself, and you see the code on a screen in front of you.
          Anyone who sent you a code or a link could act as you.
        </p>
      </Note>
      <Form
        action="Allow"
        send={() => decide(true)}
        cancel={
          <button type="button" disabled={isDenying} onClick={() => void deny()}>
            Deny
          </button>
        }
      >
        {() => refusal !== null && <ProblemNote error={refusal} />}
      </Form>
    </Panel>
  );
}

function whereText({ ip, isSameNetwork }: DeviceLoginObject): string {
  return `${ip}, ${isSameNetwork ? 'your network' : 'not your network'}`;
}

const SCOPES = {
  full: 'do everything that you may do',
  read: 'read only',
  tunnel: 'only serve shares',
} as const;
