import { harm } from '../harm.ts';

interface Jobs {
  nightly(): Promise<void>;
}

export const listenerLeak = [
  harm<Jobs>({
    rule: 'no-listener-leak',
    name: 'a client collects a listener each time it is checked out, and Node warns of the eleventh',
    tables: 'CREATE FUNCTION nightly() RETURNS int LANGUAGE sql RETURN 1',
    play: async ({ example, pool }) => {
      const listeners = [];
      for (let request = 0; request < 11; request++) {
        await example.nightly();
        const client = await pool.connect();
        listeners.push(client.listenerCount('notice'));
        client.release();
      }
      return { listeners };
    },
    wrong: {
      example: '❌ Adds a listener for each checkout.',
      seen: { listeners: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
      stderr: /MaxListenersExceededWarning: Possible EventEmitter memory leak detected\. 11 notice listeners added to \[Client\]/u,
    },
    right: { example: '✅ Takes it away again.', seen: { listeners: Array.from({ length: 11 }, () => 0) } },
  }),
];
