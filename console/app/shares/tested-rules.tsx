// Each rule of a share and each of its conditions, as the gate judges them for somebody.

import { ruleName } from '../../../src/domain/rule-name.ts';
import type { ShareTestRule } from '../../../src/wire/share-test.ts';

export function TestedRules({ rules }: { readonly rules: readonly ShareTestRule[] }) {
  return (
    <ul className="steps">
      {rules.map(({ rule, effect, held, conditions }) => (
        <li key={rule} data-held={held}>
          <div>
            {ruleName(rule, effect)}: {RULE_WORDS[held]}
            <ul className="steps">
              {conditions.map((each) => (
                <li key={each.name} data-held={each.held}>
                  {each.text}: {CONDITION_WORDS[each.held]}
                </li>
              ))}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  );
}

const RULE_WORDS = {
  held: 'applies',
  failed: 'does not apply',
  unknown: 'may apply',
} as const satisfies Words;
const CONDITION_WORDS = { held: 'met', failed: 'not met', unknown: 'not known' } as const satisfies Words;

type Words = Readonly<Record<ShareTestRule['held'], string>>;
