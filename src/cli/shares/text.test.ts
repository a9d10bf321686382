import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShareObject } from '../../wire/share.ts';
import { loginText } from './text.ts';

test('loginText() says each provider, and that rules let in more, also beside a certificate (DESIGN "Rules")', () => {
  const none = { oauthProvider: null, clientCertificate: null, access: 'all', rules: [] } as const;
  const certificate = { required: true, subject: null, unit: null } as const;
  const rules = [{ allow: { tokens: ['ci'] } }];
  const rows: readonly (readonly [Partial<ShareObject>, string])[] = [
    [{}, 'none: open to everyone'],
    [{ rules }, 'by its rules'],
    [{ oauthProvider: 'corp' }, 'corp'],
    [{ oauthProvider: ['corp', 'google'] }, 'corp or google'],
    [
      { oauthProvider: ['corp', 'google'], clientCertificate: certificate },
      '(corp or google) and certificate',
    ],
    [{ oauthProvider: 'corp', rules }, 'corp, and by its rules'],
    [{ clientCertificate: certificate }, 'certificate'],
    [{ clientCertificate: certificate, rules }, 'certificate, and by its rules'],
    [{ oauthProvider: 'corp', clientCertificate: certificate }, 'corp and certificate'],
    [
      { oauthProvider: 'corp', clientCertificate: certificate, access: 'either', rules },
      'corp or certificate, and by its rules',
    ],
  ];
  for (const [share, text] of rows) assert.equal(loginText({ ...none, ...share } as ShareObject), text);
});
