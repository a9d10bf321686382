// Notes each certificate that comes, whichever version issues it: its words are indexed a moment later.

export const SQLITE_CERTIFICATE_SEARCH: readonly string[] = [
  `CREATE TRIGGER client_certificates_found AFTER INSERT ON client_certificates
   BEGIN INSERT INTO certificates_unsearched (certificate_id) VALUES (NEW.id); END`,
];
