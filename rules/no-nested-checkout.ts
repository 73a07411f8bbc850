import { describeRule } from './rule-text.ts';

/**
 * Who holds one client and waits for another of the same pool waits for its like: when `max` callers hold one each, nobody gets a
 * second, and by default they wait for ever (pg-pool 3.14 `index.js`, `_pendingQueue`). Besides, the second client is outside of
 * the transaction of the first.
 *
 * Not seen: pools of unknown origin in other files, and work that is started and not awaited in helpers.
 */
export default describeRule({
  id: 'no-nested-checkout',
  description:
    'Another client of the same pool is waited for while one is held, in a helper too: deadlock when all are taken.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    query:
      "{{what}} waits for another client while the one of `{{pool}}` from line {{line}} is held: {{stuck}}. It is also outside of this client's transaction. Query the client that is held.",
    checkout:
      '{{what}} waits for another client while the one of `{{pool}}` from line {{line}} is held: {{stuck}}. Use the client that is held, or release it first.',
    helper:
      '{{what}} waits for another client ({{via}}) while the one of `{{pool}}` from line {{line}} is held: {{stuck}}. Give it the client that is held, or call it behind the release.',
    outside:
      "{{what}} takes another connection while the transaction of `{{pool}}` from line {{line}} holds one, and is not part of it: a rollback leaves what this writes. When all connections are held by such callers, none can go on. Use the transaction's handle.",
    outsideInHelper:
      "{{what}} takes another connection ({{via}}) while the transaction of `{{pool}}` from line {{line}} holds one, and is not part of it: a rollback leaves what this writes. When all connections are held by such callers, none can go on. Give it the transaction's handle, or call it behind the transaction.",
    useHandle: 'Use `{{client}}`, which is part of the transaction.',
    tellHandle: 'Pass `{{client}}`, so that this is part of the transaction.',
    queryClient: 'Query `{{client}}`, which is held here.',
  },
});
