// The kind of an event as it is shown. Another gateway of the store may be of a newer version, or the version
// before may run again: what it wrote is shown as it stands, and no list fails by it.

import { z } from '@hono/zod-openapi';
import { AUDIT_KINDS } from '../domain/audit-kind.ts';

export const shownKindSchema = z.string().openapi({ enum: [...AUDIT_KINDS] });
