// Below /console/audit: what happened, by whom and from where; filtered, followed, and taken along.

import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { AuditPage } from './audit-page.tsx';

export function AuditArea({ path }: AreaProps) {
  return path.length === 0 ? <AuditPage /> : <NothingHere />;
}
