// Each rule of a share and each of its conditions, as the gate judges them for somebody.

import { ruleName } from '../../../src/domain/rule-name.ts';
import type { TitleOf } from '../../../src/domain/rule-sentence.ts';
import type { ShareTestRule } from '../../../src/wire/share-test.ts';
import { useProviderTitles } from '../parts/use-providers.ts';

export function TestedRules({ rules }: { readonly rules: readonly ShareTestRule[] }) {
  const { titleOf } = useProviderTitles();
  return (
    <ul className="steps">
      {rules.map(({ rule, effect, held, conditions }) => (
        <li key={rule} data-held={held}>
          <div>
            {ruleName(rule, effect)}: {RULE_WORDS[held]}
            <ul className="steps">
              {conditions.map((each) => (
                <li key={each.name} data-held={each.held}>
                  {conditionText(each, titleOf)}: {CONDITION_WORDS[each.held]}
                </li>
              ))}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Names of providers hold neither comma nor space. */
function conditionText({ name, text }: Condition, titleOf: TitleOf): string {
  if (name !== 'providers') return text;
  const [word = '', ...names] = text.split(/,? /);
  return `${word} ${names.map(titleOf).join(', ')}`;
}

type Condition = ShareTestRule['conditions'][number];

const RULE_WORDS = {
  held: 'applies',
  failed: 'does not apply',
  unknown: 'may apply',
} as const satisfies Words;
const CONDITION_WORDS = { held: 'met', failed: 'not met', unknown: 'not known' } as const satisfies Words;

type Words = Readonly<Record<ShareTestRule['held'], string>>;
