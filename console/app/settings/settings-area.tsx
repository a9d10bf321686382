// Below /console/settings: what the operator configured, to be read.

import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { SettingsPage } from './settings-page.tsx';
import './settings.css';

export function SettingsArea({ path }: AreaProps) {
  return path.length > 0 ? <NothingHere /> : <SettingsPage />;
}
