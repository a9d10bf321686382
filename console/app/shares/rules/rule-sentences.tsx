// The rules of a share, a sentence each, by the numbers that errors and tests name.

import type { AccessRuleDocument } from '../../../../src/domain/access-rule.ts';
import { useProviderTitles } from '../../parts/use-providers.ts';
import { ruleSentence } from '../../../../src/domain/rule-sentence.ts';

export function RuleSentences({ rules }: { readonly rules: readonly AccessRuleDocument[] }) {
  const { titleOf } = useProviderTitles();
  return (
    <ol className="rule-sentences">
      {rules.map((rule, index) => {
        const { lead, text } = ruleSentence(rule, titleOf);
        return (
          // Two rules may be the same; they change only together.
          <li key={index}>
            <strong>{lead}:</strong> {text}
          </li>
        );
      })}
    </ol>
  );
}
