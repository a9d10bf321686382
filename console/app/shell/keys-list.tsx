// All keys of the console, and whether single ones count in this browser.

import { useState } from 'react';
import { AREA_KEYS, keepTakesKeys, takesKeys } from './area-keys.ts';
import { GO_TO_KEYS } from './go-to-button.tsx';
import type { Area } from './pages.tsx';
import { ShownDialog } from './shown-dialog.tsx';

type KeysListProps = { readonly areas: readonly Area[]; readonly close: () => void };

export function KeysList({ areas, close }: KeysListProps) {
  const [takes, setTakes] = useState(takesKeys);
  const change = (wanted: boolean) => {
    keepTakesKeys(wanted);
    setTakes(wanted);
  };
  return (
    <ShownDialog label="Keyboard shortcuts" className="go-to keys-list" closed={close}>
      {(leave) => (
        <>
          <h2>Keyboard shortcuts</h2>
          <dl>
            <div>
              <dt>Go to anything by name</dt>
              <dd>
                <kbd>{GO_TO_KEYS}</kbd>
              </dd>
            </div>
            <div>
              <dt>Show this list</dt>
              <dd>
                <kbd>?</kbd>
              </dd>
            </div>
            {areas.map(({ name, title }) => {
              const key = AREA_KEYS[name];
              if (key === undefined) return null;
              return (
                <div key={name}>
                  <dt>{title}</dt>
                  <dd>
                    <kbd>G</kbd> <kbd>{key.toUpperCase()}</kbd>
                  </dd>
                </div>
              );
            })}
          </dl>
          <label className="check">
            <input type="checkbox" checked={takes} onChange={({ target }) => change(target.checked)} />
            Use single-key shortcuts in this browser
          </label>
          <button type="button" onClick={leave}>
            Close
          </button>
        </>
      )}
    </ShownDialog>
  );
}
