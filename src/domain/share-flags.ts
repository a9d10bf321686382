// The flags by which the command line says the settings of a share: for the commands themselves, and for
// whoever prints one.

import type { Flag, Part, Setting } from './share-setting.ts';
import type { SettingName } from './share-settings.ts';
import { isUnset, SETTINGS } from './share-values.ts';

export type ShareFlag = {
  readonly name: SettingName;
  readonly setting: Setting;
  /** Of a section, and its name; null for a flag of the setting as a whole. */
  readonly part: string | null;
  /** `--oauth-provider <name>`. */
  readonly usage: string;
  /** `--oauth-provider`. */
  readonly written: string;
  readonly flag: Flag;
};

export const SHARE_FLAGS: readonly ShareFlag[] = SETTINGS.flatMap(([name, setting]) => {
  const own = flagsOf(setting, { name, setting, part: null });
  if (setting.kind !== 'section') return own;
  const parts = Object.entries(setting.parts);
  return own.concat(parts.flatMap(([part, about]) => flagsOf(about, { name, setting, part })));
});

/** The name of a share that is kept. */
export const NAME_FLAG = '--name';

/** Whether a value for the flag's setting, or its part, says that there is to be none. */
export function saysUnset({ setting, part }: ShareFlag, value: unknown): boolean {
  return part === null ? isUnset(setting, value) : value === null;
}

function flagsOf(
  { flags }: Setting | Part,
  { name, setting, part }: Pick<ShareFlag, 'name' | 'setting' | 'part'>,
): readonly ShareFlag[] {
  return Object.entries(flags).map(([usage, flag]) => {
    const [written = usage] = usage.split(' ');
    return { name, setting, part, usage, written, flag };
  });
}
