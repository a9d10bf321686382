// A database in today's form is used by one test after the other: emptied, it is as good as a new copy, in a
// tenth of the time. Only while a test left its form alone; what changed tables, settings or rights is
// dropped.

/**
 * Run once in the database that is copied, by a superuser: a schema beside the tables, which remembers what
 * is in them.
 */
export const KEEP_FORM = `
  CREATE SCHEMA form;
  CREATE SEQUENCE form.changed;
  CREATE TABLE form.sequences AS
    SELECT format('%I.%I', schemaname, sequencename) AS name, last_value, start_value FROM pg_sequences WHERE schemaname = 'public';
  DO $$
    DECLARE it record;
            filled boolean;
    BEGIN
      FOR it IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', it.tablename) INTO filled;
        IF filled THEN EXECUTE format('CREATE TABLE form.%I AS TABLE public.%I', it.tablename, it.tablename); END IF;
      END LOOP;
    END
  $$;

  CREATE FUNCTION form.clean() RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE it record;
            owner oid := (SELECT datdba FROM pg_database WHERE datname = current_database());
    BEGIN
      -- Connections that were closed just now are still leaving. One that stays belongs to somebody who goes on.
      FOR tries IN 1..50 LOOP
        EXIT WHEN form.alone();
        PERFORM pg_sleep(0.01);
        PERFORM pg_stat_clear_snapshot();
      END LOOP;
      IF NOT form.alone() OR (SELECT is_called FROM form.changed)
        OR EXISTS (SELECT FROM pg_db_role_setting WHERE setrole = owner
                   OR setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()))
      THEN RETURN false; END IF;
      -- No triggers: some refuse that rows are deleted.
      PERFORM set_config('session_replication_role', 'replica', true);
      FOR it IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('DELETE FROM public.%I', it.tablename);
        IF to_regclass(format('form.%I', it.tablename)) IS NOT NULL THEN
          EXECUTE format('INSERT INTO public.%I OVERRIDING SYSTEM VALUE SELECT * FROM form.%I', it.tablename, it.tablename);
        END IF;
      END LOOP;
      PERFORM setval(name::regclass, coalesce(last_value, start_value), last_value IS NOT NULL) FROM form.sequences;
      RETURN true;
    END
  $$;

  CREATE FUNCTION form.alone() RETURNS boolean LANGUAGE sql AS $$
    SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
                       AND backend_type = 'client backend' AND pid <> pg_backend_pid())
  $$;

  CREATE FUNCTION form.note_change() RETURNS event_trigger SECURITY DEFINER LANGUAGE plpgsql AS $$
    BEGIN
      IF tg_event = 'sql_drop' OR EXISTS (SELECT FROM pg_event_trigger_ddl_commands()) THEN
        PERFORM nextval('form.changed');
      END IF;
    END
  $$;
  CREATE EVENT TRIGGER form_changed ON ddl_command_end EXECUTE FUNCTION form.note_change();
  CREATE EVENT TRIGGER form_dropped ON sql_drop EXECUTE FUNCTION form.note_change();`;

/**
 * Run in a database that nobody uses any more, by a superuser: one row, whose `clean` is true when it is as
 * new.
 */
export const CLEAN = 'SELECT form.clean() AS clean';
