// The request suites of the gate once more, each case through a tunnel, with the same results as through a
// direct backend.

/* oxlint-disable import/no-unassigned-import -- suites register themselves */
import '../support/through-tunnels.ts';
import './forward.test.ts';
import './websocket.test.ts';
import './http2.test.ts';
import './unwanted-bodies.test.ts';
import './slow-readers.test.ts';
import './sessions.test.ts';
import './begin.test.ts';
import './host-header.test.ts';
import './dev-server.test.ts';
