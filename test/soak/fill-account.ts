// What an account has beside sessions and shares, by the thousand, put into its tables: certificates and the
// tokens for them, members, API keys, host names.

import { digitsOf, type Run, numbersTo } from './lists.ts';

/** Of 5,000 people; each is as the one that is there. */
export function fillCertificates(run: Run, of: { readonly id: string; readonly count: number }) {
  const same = 'account_id, ca_id, key_hash, certificate, not_before, allowed_by, name, validity_ms';
  return run(`INSERT INTO client_certificates
      (id, serial, fingerprint, created_at, not_after, subject, email_address, ${same})
    ${numbersTo(of.count)}
    SELECT 'cer_' || ${digitsOf('i')}, '4D' || ${digitsOf('i')}, 'ab' || ${digitsOf('i')},
      created_at + i * 7919 % 1000000, not_after + i * 10007 % 1000000, replace(subject, email_address, ${PERSON}),
      ${PERSON}, ${same}
    FROM numbers, (SELECT * FROM client_certificates WHERE id = '${of.id}') AS one`);
}

/** Each is as the one that is there. */
export function fillRequestTokens(run: Run, of: { readonly id: string; readonly count: number }) {
  const same = 'account_id, subject, validity_ms, created_by';
  return run(`INSERT INTO certificate_request_tokens (id, hash, name, created_at, expires_at, ${same})
    ${numbersTo(of.count)}
    SELECT 'crq_' || ${digitsOf('i')}, 'h' || i, 'token-' || i, created_at + i * 7919 % 1000000,
      expires_at + i * 10007 % 1000000, ${same}
    FROM numbers, (SELECT * FROM certificate_request_tokens WHERE id = '${of.id}') AS one`);
}

/** Members who were invited, and keys that serve tunnels. */
export async function fillPeople(run: Run, of: { readonly accountId: string; readonly count: number }) {
  const at = Date.now();
  await run(`INSERT INTO members (id, account_id, email, role, created_at) ${numbersTo(of.count)}
    SELECT 'mem_' || ${digitsOf('i')}, '${of.accountId}', ${PERSON}, 'member', ${at} - i * 7919 % 1000000
    FROM numbers`);
  await run(`INSERT INTO api_keys (id, account_id, name, hash, created_at, last_used_at, role, scope, expires_at)
    ${numbersTo(of.count)}
    SELECT 'key_' || ${digitsOf('i')}, '${of.accountId}', 'key-' || i, 'h' || i, ${at} - i * 7919 % 1000000,
      ${at} - i * 10007 % 1000000, 'member', 'tunnel', ${at} + 100000000 + i * 13 % 1000000
    FROM numbers`);
}

/** One of each share, from the first of those that `fillLists` made. */
export function fillHosts(run: Run, of: { readonly accountId: string; readonly count: number }) {
  return run(`INSERT INTO share_hosts (id, account_id, share_id, host, created_at) ${numbersTo(of.count)}
    SELECT 'hst_' || ${digitsOf('i')}, '${of.accountId}', 'shr_' || ${digitsOf('i')},
      'host-' || i || '.example.com', ${Date.now()} - i * 7919 % 1000000
    FROM numbers`);
}

const PERSON = `'person-' || (i % 5000) || '@corp.example'`;
