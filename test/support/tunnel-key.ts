// The API key of an agent whose key nobody looks at.

import { newId } from '../../src/domain/id.ts';
import type { TunnelKey } from '../../src/gateway/messages.ts';

export const TUNNEL_KEY: TunnelKey = { id: newId('key'), expiresAt: null };
