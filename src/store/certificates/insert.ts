// Keeps one more certificate, within the transaction of whoever issues it.

import { compiledOnce } from '../compiled.ts';
import type { ClientCertificatesTable } from './tables.ts';

export const insertCertificate = compiledOnce(({ db }, columns: ClientCertificatesTable) =>
  db.insertInto('client_certificates').values(columns),
);
