// The rules of a share as a text to copy and to paste, in the form of files. What is typed are the rules
// at once; while it cannot be read, the form is not sent.

import { useId, useRef, useState } from 'react';
import { readRules } from '../../../../src/config/read-rules.ts';
import { rulesText } from '../../../../src/config/write-rules.ts';
import { ServiceError } from '../../../../src/domain/service-error.ts';
import { CopyButton } from '../../parts/copy-text.tsx';
import type { Faults } from '../../parts/faults.ts';
import { Words } from '../../parts/words.tsx';
import { draftOfRules, type RulesDraft, rulesOfDraft } from './rule-draft.ts';
import { rulesFaultsText } from './rule-faults.ts';

type RulesAsTextProps = {
  readonly draft: RulesDraft;
  readonly change: (draft: RulesDraft) => void;
  readonly faults: Faults;
};

export function RulesAsText({ draft, change, faults }: RulesAsTextProps) {
  const [text, setText] = useState(() => rulesText(rulesOfDraft(draft)));
  const [unread, setUnread] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const type = (typed: string) => {
    const read = rulesIn(typed);
    setText(typed);
    setUnread(read.fault);
    field.current?.setCustomValidity(read.fault ?? '');
    change(read.rules === null ? { ...draft, isUnread: true } : draftOfRules(read.rules));
  };
  const found = unread ?? rulesFaultsText(faults);
  return (
    <div className="field">
      <div className="rules-text-head">
        <label htmlFor={id}>Rules as text</label>
        <CopyButton text={text} label="the rules" />
      </div>
      <textarea
        ref={field}
        id={id}
        className="rules-text"
        aria-describedby={`${id}-help`}
        aria-invalid={found !== ''}
        rows={Math.min(MOST_ROWS, Math.max(LEAST_ROWS, text.split('\n').length + 1))}
        spellCheck={false}
        autoCapitalize="off"
        wrap="off"
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      <p id={`${id}-help`} className="soft">
        YAML or JSON.
        {found !== '' && (
          <strong className="fault" role={unread === null ? undefined : 'status'}>
            {' '}
            <Words text={found} />
          </strong>
        )}
      </p>
    </div>
  );
}

function rulesIn(text: string) {
  try {
    // Nothing is no rules.
    return { rules: text.trim() === '' ? [] : readRules(text, 'the text'), fault: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { rules: null, fault: `${error.message}.` };
  }
}

const LEAST_ROWS = 6;
const MOST_ROWS = 24;
