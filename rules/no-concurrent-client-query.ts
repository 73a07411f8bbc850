import { describeRule } from './rule-text.ts';

/**
 * A client runs one query at a time; the others wait in its queue (pg 8.23 `lib/client.js`, `_pulseQueryQueue`). pg warns from the
 * third in flight on, which tests seldom reach, and pg 9 has no queue. When one fails, the code goes on while the others still run.
 *
 * Not seen: queries with a callback, helpers that query on some ways only, unless a round's element decides, and functions that are not known.
 */
export default describeRule({
  id: 'no-concurrent-client-query',
  description:
    'Several queries are in flight on one client, which runs them one after the other all the same.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'warn' },
  hasSuggestions: true,
  messages: {
    together:
      '`{{what}}` has several queries in flight on `{{client}}`, which runs them one after the other all the same; pg deprecates this and pg 9 will not queue them. When one fails, the code behind goes on, and may release the client, while the rest still runs. Await them one by one, or use `pool.query` outside of a transaction.',
    settled:
      '`{{what}}` has several queries in flight on `{{client}}`, which runs them one after the other all the same; pg deprecates this and pg 9 will not queue them. In a transaction, what comes after the first that fails fails as well, with "current transaction is aborted". Await them one by one, or use `pool.query` outside of a transaction.',
    rounds:
      '`{{what}}` has several queries in flight on `{{client}}`, which runs them one after the other all the same; pg deprecates this and pg 9 will not queue them. When one round fails, the others go on: what they write behind the ROLLBACK is outside of the transaction and stays. Use `for … of` with `await`.',
    inEachRound:
      '`{{what}}` waits for none of its rounds, so that all their queries are in flight on `{{client}}` at once, and still are when the code behind it runs; pg deprecates this and pg 9 will not queue them. Use `for … of` with `await`.',
    overlapping:
      '{{what}} starts while the query of line {{line}} is still in flight on `{{client}}`, which runs them one after the other all the same; pg deprecates this and pg 9 will not queue them. Await the first one before.',
    inNextRound:
      '{{what}} is not awaited, so the next round of the loop starts it again while it is in flight on `{{client}}`; pg deprecates this and pg 9 will not queue them. Await it in each round.',
    overHandle:
      '`{{what}}` has several queries in flight on `{{client}}`, whose one connection runs them one after the other all the same. When one fails, the code behind goes on, and may end the transaction, while the rest still waits. Await them one by one.',
    overAmbient:
      '`{{what}}` has several queries in flight in the transaction around it, whose one connection runs them one after the other all the same. When one fails, the code behind goes on, and may end the transaction, while the rest still waits. Await them one by one.',
    inHelper:
      '{{what}} has several queries in flight on `{{client}}` ({{via}}), whose one connection runs them one after the other all the same. When one fails, the code behind goes on, and may end the transaction, while the rest still waits. Await them one by one there.',
    nestedTogether:
      '`{{what}}` has several transactions in flight inside the one of `{{client}}`, as savepoints of one connection: {{fact}}. Run them one after the other.',
    oneByOne: 'Await one after the other.',
    addAwait: 'Await the query of line {{line}}.',
  },
});
