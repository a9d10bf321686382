// The rules of a share in a form: one after the other in sentences, each opened where it is changed, or all
// of them as a text.

import { lazy, Suspense, useId, useState } from 'react';
import type { Faults } from '../../parts/faults.ts';
import { Loading } from '../../parts/loading.tsx';
import type { RulesDraft } from './rule-draft.ts';
import { RuleList } from './rule-list.tsx';
import './rules.css';

type RulesEditorProps = {
  readonly draft: RulesDraft;
  readonly change: (draft: RulesDraft) => void;
  readonly faults: Faults;
};

export function RulesEditor({ draft, change, faults }: RulesEditorProps) {
  const [isText, setText] = useState(false);
  const id = useId();
  return (
    <fieldset className="rules" aria-describedby={id}>
      <legend>Rules</legend>
      <div className="rules-head">
        <p id={id} className="soft">
          A rule that denies always wins. Otherwise one rule that lets in is enough; their order changes
          nothing.
        </p>
        <button
          type="button"
          className="small-button"
          // What is typed and cannot be read would be lost.
          disabled={draft.isUnread}
          onClick={() => setText(!isText)}
        >
          {isText ? 'Edit as form' : 'Edit as text'}
        </button>
      </div>
      {isText ? (
        <Suspense fallback={<Loading what="the text" />}>
          <RulesAsText draft={draft} change={change} faults={faults} />
        </Suspense>
      ) : (
        <RuleList
          rules={draft.rules}
          change={(rules) => change({ rules, isUnread: false })}
          faults={faults}
        />
      )}
    </fieldset>
  );
}

/** With what reads YAML, which nobody else needs. */
const RulesAsText = lazy(async () => ({ default: (await import('./rules-as-text.tsx')).RulesAsText }));
