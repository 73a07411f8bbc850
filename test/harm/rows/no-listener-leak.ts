import { harm } from '../harm.ts';

interface Jobs {
  cleanUp(log: () => void): Promise<void>;
  countUsers(): Promise<unknown>;
}

export const listenerLeak = [
  harm<Jobs>({
    rule: 'no-listener-leak',
    name: 'each notice is logged once more than the one before, and Node warns of the eleventh listener',
    tables: "CREATE PROCEDURE clean_up() LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'clean'; END $$",
    play: async ({ example }) => {
      let logged = 0;
      for (let call = 0; call < 11; call++) await example.cleanUp(() => logged++);
      return { logged };
    },
    wrong: {
      example: '❌ Adds another listener at each call.',
      seen: { logged: 66 },
      stderr:
        /MaxListenersExceededWarning: Possible EventEmitter memory leak detected\. 11 notice listeners added to \[Client\]/u,
    },
    right: { example: '✅ Removes it before the release.', seen: { logged: 11 } },
  }),
  harm<Jobs>({
    rule: 'no-listener-leak',
    name: 'a guard against a lost connection is put on a client once for each call',
    tables: 'CREATE TABLE users ()',
    play: async ({ example, pool }) => {
      for (let call = 0; call < 3; call++) await example.countUsers();
      const client = await pool.connect();
      return { guards: client.listenerCount('error') };
    },
    wrong: {
      example: '❌ Adds an error listener at each checkout and never removes it.',
      seen: { guards: 3 },
    },
    right: { example: '✅ Adds it once for each connection.', seen: { guards: 1 } },
  }),
];
