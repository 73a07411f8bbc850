import { describeRule } from './rule-text.ts';

/**
 * A client runs one query at a time and queues the others (pg 8.23 `lib/client.js`, `_pulseQueryQueue`). pg warns from the third
 * concurrent query on, which tests seldom reach, and pg 9 has no queue. If one fails, the code continues while the others still run.
 *
 * Not seen: queries with a callback, helpers that query on some paths only, unless the element of an iteration decides, and unknown functions.
 */
export default describeRule({
  id: 'no-concurrent-client-query',
  description: 'Disallow several queries at once on one client, which runs them one by one.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'warn' },
  hasSuggestions: true,
  messages: {
    together:
      '`{{what}}` runs several queries at once on `{{client}}`: pg deprecates this, and pg 9 no longer queues them. Await them one by one, or query the pool outside a transaction.',
    settled:
      '`{{what}}` runs several queries at once on `{{client}}`: in a transaction, one failure aborts the rest. Await them one by one, or query the pool outside a transaction.',
    rounds:
      '`{{what}}` runs its queries at once on `{{client}}`: statements after a ROLLBACK are committed outside the transaction. Use `for … of` with `await`.',
    inEachRound:
      '`{{what}}` does not await its callbacks: their queries still run on `{{client}}` when the code after it starts. Use `for … of` with `await`.',
    overlapping:
      'Concurrent query on `{{client}}`: the one at line {{line}} is still running, and pg 9 no longer queues them. Await that query first.',
    inNextRound:
      'Concurrent query on `{{client}}`: the next iteration repeats it before it ends, and pg 9 no longer queues them. Await it in each iteration.',
    overHandle:
      '`{{what}}` starts several queries at once on `{{client}}`: {{fact}}. Await each before the next.',
    overAmbient:
      '`{{what}}` starts several queries at once in one transaction: {{fact}}. Await each before the next.',
    inHelper:
      'Starts several queries at once on `{{client}}`: {{fact}}. Await each before the next in {{helper}}.',
    nestedTogether:
      '`{{what}}` runs several nested transactions of `{{client}}` at once: {{fact}}. Run them one after the other.',
    oneByOne: 'Await the queries one by one.',
    addAwait: 'Await the query at line {{line}}.',
  },
});
