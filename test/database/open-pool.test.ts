import { expect, test } from 'vitest';
import { openPool } from '../../src/database/open-pool.ts';
import { createTally } from '../../src/database/transaction-tally.ts';
import { parseTarget } from '../../src/database/target.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';
import { startRelay } from '../support/relay.ts';

test('a connection that breaks while its client is lent fails the query, and ends no process', async () => {
  const database = await createFreshDatabase();
  const through = new URL(database.url);
  const relay = await startRelay(Number(through.port));
  through.port = String(relay.port);
  const parsed = parseTarget(through.href);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const { pool, undoing } = openPool(parsed.target, parsed.secret, {
    max: 1,
    startup: 'guarded',
    tally: createTally(),
  });
  try {
    const client = await pool.connect();
    const answer = undoing(client)
      .run({ text: 'SELECT pg_sleep(10)' })
      .then(
        () => 'answered',
        () => 'failed',
      );
    relay.inflict({ kind: 'reset' });
    expect(await answer).toBe('failed');
    client.release(true);
  } finally {
    await pool.end();
    await relay.stop();
    await database.drop();
  }
});
