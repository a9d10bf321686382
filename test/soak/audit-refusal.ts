// A store whose audit takes nothing for a while, as a full disk would have it: by a trigger of the database,
// from outside.

import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { changeConfig } from '../support/serve-process.ts';
import type { ServiceProcess } from '../support/service-process.ts';

/** Refuses, or takes, what is written into the audit from now on. */
export async function refuseAudit(service: ServiceProcess, refuse: boolean): Promise<void> {
  const url = storeUrl(service);
  if (url.startsWith('sqlite:')) refuseOnSqlite(service.storeFile, refuse);
  else await refuseOnPostgres(url, refuse);
}

function refuseOnSqlite(file: string, refuse: boolean): void {
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    const body = `BEFORE INSERT ON audit_events BEGIN SELECT RAISE(ABORT, 'the audit takes nothing'); END`;
    database.exec(refuse ? `CREATE TRIGGER refuse_audit ${body}` : 'DROP TRIGGER refuse_audit');
  } finally {
    database.close();
  }
}

async function refuseOnPostgres(url: string, refuse: boolean): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      refuse
        ? `CREATE OR REPLACE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql
             AS $$ BEGIN RAISE EXCEPTION 'the audit takes nothing'; END $$;
           CREATE TRIGGER refuse_audit BEFORE INSERT ON audit_events
             FOR EACH ROW EXECUTE FUNCTION refuse_audit()`
        : 'DROP TRIGGER refuse_audit ON audit_events',
    );
  } finally {
    await client.end();
  }
}

function storeUrl(service: ServiceProcess): string {
  let url = '';
  changeConfig(service, ({ store }) => {
    url = String(store?.['url'] ?? '');
  });
  return url;
}

/** The service writes in between. */
const BUSY_MS = 5_000;
