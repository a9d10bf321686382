// What a share reaches: a target that the gateway calls, agents that serve it from elsewhere, or an app
// behind a proxy of its own.

import type { Versioned } from '../../../src/client/call.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import { CodeBlock } from '../parts/copy-text.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { BehindSection } from './behind-section.tsx';
import { EditSection } from './edit-section.tsx';
import { NEW_DRAFT } from './settings-draft.ts';
import { TargetField } from './target-field.tsx';
import { publicCommand } from './tunnel-command.ts';
import { typedTarget } from './typed-target.ts';

type SectionProps = { readonly share: Versioned<ShareObject> };

export function TargetSection({ share }: SectionProps) {
  if (share.value.behind) return <BehindSection share={share.value} />;
  if (share.value.target === null) return <TunnelSection share={share.value} />;
  return (
    <EditSection
      title="Target"
      share={share}
      draftOf={({ target }) => ({ target: target ?? '' })}
      changesOf={({ target }) => ({ target: typedTarget(target) })}
      fields={({ target }, set, faults) => (
        <TargetField target={target} set={(typed) => set({ target: typed })} fault={faults['target']} />
      )}
    >
      <p>
        <code>{share.value.target}</code>
      </p>
    </EditSection>
  );
}

function TunnelSection({ share }: { readonly share: ShareObject }) {
  return (
    <Panel title="Target">
      <p>
        {share.tunnel === 'ephemeral'
          ? 'An agent serves it through a tunnel. The share ends with the agent.'
          : 'Agents serve it through tunnels. The share stays while no agent is connected.'}
      </p>
      <p aria-live="polite">
        {share.agentSeenAt === null ? (
          'No agent has served it yet.'
        ) : (
          <>
            An agent was last seen: <Moment at={share.agentSeenAt} />.
          </>
        )}
      </p>
      {share.tunnel === 'reserved' && (
        <>
          <p>To serve it again, from any machine of this account (here: port 3000):</p>
          <CodeBlock
            text={publicCommand({ target: '3000', name: share.name, draft: NEW_DRAFT })}
            label="the command"
          />
        </>
      )}
    </Panel>
  );
}
