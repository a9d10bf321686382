// Notes each certificate that comes, whichever version issues it: its words are indexed a moment later.

export const POSTGRES_CERTIFICATE_SEARCH: readonly string[] = [
  `CREATE FUNCTION client_certificates_find() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO certificates_unsearched (certificate_id) VALUES (NEW.id);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER client_certificates_found AFTER INSERT ON client_certificates
   FOR EACH ROW EXECUTE FUNCTION client_certificates_find()`,
];
