// Which file the settings come from, for admins.

import type { ConfigChoice, ConfigurationObject } from '../../../src/wire/settings.ts';
import { Facts } from '../parts/facts.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';

export function ReadConfiguration({ file, chosenBy, readAt }: ConfigurationObject) {
  return (
    <Panel
      title="Configuration"
      about="Beside each value below is its key in this file, and the line. What the file does not set has its default."
    >
      <Facts
        facts={[
          { title: 'File', value: <code>{file}</code> },
          { title: 'Chosen by', value: CHOSEN_BY[chosenBy] },
          { title: 'Last read', value: <Moment at={readAt} /> },
        ]}
      />
    </Panel>
  );
}

const CHOSEN_BY: Readonly<Record<ConfigChoice, string>> = {
  option: 'The option --config',
  environment: 'The environment variable DOORWARD_CONFIG',
  default: 'Default location',
};
