// Imported before any suite: its gates reach their backends through tunnels.

import { useTunnels } from './way.ts';

useTunnels();
