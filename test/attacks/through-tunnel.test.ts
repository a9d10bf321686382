// Attacks upon the front door once more, on shares that agents serve: what protects a direct backend protects
// them, too.

/* oxlint-disable import/no-unassigned-import -- suites register themselves */
import '../support/through-tunnels.ts';
import './header-smuggling.test.ts';
import './request-smuggling.test.ts';
import './request-smuggling-http2.test.ts';
import './path-and-host-confusion.test.ts';
import './mixed-up-identities.test.ts';
import './trusting-x-forwarded.test.ts';
import './websocket-and-streams.test.ts';
import './websocket-upgrades.test.ts';
import './exhaustion-http2.test.ts';
import './exhaustion-by-backends.test.ts';
import './pipelining.test.ts';
import './fair-use.test.ts';
import './connection-logins.test.ts';
import './shared-caches.test.ts';
import './service-tokens.test.ts';
import './sibling-shares.test.ts';
import './rapid-resets.test.ts';
