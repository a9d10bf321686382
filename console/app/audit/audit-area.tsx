// Below /console/audit: what happened, by whom and from where; filtered, followed, and taken along.

import { type AreaProps, NothingHere } from '../shell/pages.tsx';
import { AuditPage } from './audit-page.tsx';

export function AuditArea({ path }: AreaProps) {
  return path.length === 0 ? <AuditPage /> : <NothingHere />;
}
