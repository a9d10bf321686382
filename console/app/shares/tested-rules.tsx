// Each rule of a share and each of its conditions, as the gate judges them for somebody.

import { ruleName } from '../../../src/domain/rule-name.ts';
import type { ShareTestRule } from '../../../src/wire/share-test.ts';

export function TestedRules({ rules }: { readonly rules: readonly ShareTestRule[] }) {
  return (
    <ul className="steps">
      {rules.map(({ rule, effect, held, conditions }) => (
        <li key={rule} data-held={held}>
          <div>
            {ruleName(rule, effect)}: {held}
            <ul className="steps">
              {conditions.map((each) => (
                <li key={each.name} data-held={each.held}>
                  {each.text}: {each.held}
                </li>
              ))}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  );
}
