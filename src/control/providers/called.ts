// What the providers are called that an account may use. Another account's are never named.

import type { AccountId } from '../../domain/id.ts';
import { type CalledProvider, titleOfEach } from '../../domain/provider-title.ts';
import type { TitleOf } from '../../domain/rule-sentence.ts';
import type { ControlSettings } from '../control-deps.ts';

type Settings = Pick<ControlSettings, 'providersOf' | 'displayNameOf'>;

export function providersCalled(
  { providersOf, displayNameOf }: Settings,
  accountId: AccountId,
): readonly CalledProvider[] {
  return providersOf(accountId).map(({ name }) => ({ name, displayName: displayNameOf(name) }));
}

/** For sentences. */
export function titlesFor(settings: Settings, accountId: AccountId): TitleOf {
  return titleOfEach(providersCalled(settings, accountId));
}
