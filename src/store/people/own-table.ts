// People's own sessions and certificates, for them to see and to end (`own-things.ts` says whose they are).

import type { KeptCertificate } from '../certificates/certificate.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';
import { toCertificate } from '../certificates/row.ts';
import { ownFacts, type OwnPlace, ownPlaces } from './own-places.ts';
import { type Owner, ownCertificates, ownSessions } from './own-things.ts';
import type { Records } from '../records.ts';
import type { FoundSession, OwnEnding } from '../sessions/choice.ts';
import { endOwn } from '../sessions/end-chosen.ts';
import { toSession } from '../sessions/row.ts';
import type { SessionRow } from '../sessions/session.ts';
import type { ClientCertificatesTable } from '../certificates/tables.ts';

export type OwnCertificate = { readonly certificate: KeptCertificate; readonly accountName: string };

export interface OwnTable {
  /** Their sessions that live, newest first. */
  sessions(owner: Owner, limit: number): Promise<readonly FoundSession[]>;
  /** Ends what of that is theirs, in one transaction; answers what was living. */
  endSessions(ending: OwnEnding): Promise<readonly SessionRow[]>;
  /** Their certificates, living or over; those that last longest first. */
  certificates(owner: Owner, limit: number): Promise<readonly OwnCertificate[]>;
  certificate(owner: Owner, id: string): Promise<OwnCertificate | null>;
  /** As `ownPlaces()`. */
  places(owner: Owner, page: { readonly from: string; readonly limit: number }): Promise<readonly OwnPlace[]>;
  /** As `ownFacts()`. */
  facts(owner: Owner): Promise<SessionFacts | null>;
}

export function createOwnTable(records: Records): OwnTable {
  const { read } = records;
  return {
    sessions: async (owner, limit) => {
      const rows = await ownSessions(read, owner, records.clock())
        .leftJoin('shares', 'shares.id', 'sessions.share_id')
        .selectAll('sessions')
        .select('shares.name as share_name')
        .orderBy('sessions.created_at', 'desc')
        .orderBy('sessions.id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ share_name: shareName, ...columns }) => ({
        row: toSession(columns),
        shareName,
        active: true,
      }));
    },
    endSessions: (ending) => endOwn(records, ending),
    places: (owner, page) => ownPlaces(records, owner, page),
    facts: (owner) => ownFacts(records, owner),
    certificates: async (owner, limit) => {
      const rows = await certificateRows(read, owner)
        .orderBy('client_certificates.not_after', 'desc')
        .orderBy('client_certificates.id')
        .limit(limit)
        .execute();
      return rows.map(toOwnCertificate);
    },
    certificate: async (owner, id) => {
      const row = await certificateRows(read, owner)
        .where('client_certificates.id', '=', id)
        .executeTakeFirst();
      return row === undefined ? null : toOwnCertificate(row);
    },
  };
}

function certificateRows(db: Records['read'], owner: Owner) {
  return ownCertificates(db, owner).selectAll('client_certificates').select('accounts.name as account_name');
}

function toOwnCertificate({
  account_name: accountName,
  ...columns
}: ClientCertificatesTable & { readonly account_name: string }): OwnCertificate {
  return { certificate: toCertificate(columns), accountName };
}
