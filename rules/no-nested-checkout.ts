import { inTests } from './in-tests.ts';
import { describeRule } from './rule-text.ts';

/**
 * A caller that holds one client and waits for another of the same pool can deadlock the pool: when `max` callers hold one each, none
 * gets a second, and by default they wait indefinitely (pg-pool 3.14 `index.js`, `_pendingQueue`). The second client is also outside
 * the transaction of the first.
 *
 * Not seen: pools of unknown origin in other files, and work that helpers start without awaiting it.
 */
export default describeRule({
  id: 'no-nested-checkout',
  description:
    'Disallow taking a second client from a pool while holding one, which can deadlock the pool.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    query:
      'Takes a second connection from `{{pool}}` while holding one (line {{line}}): {{deadlock}}. Use {{held}} here.',
    checkout:
      'Takes a second connection from `{{pool}}` while holding one (line {{line}}): {{deadlock}}. Use {{held}} here, or release it first.',
    helper:
      'Takes a second connection from `{{pool}}` while holding one (line {{line}}): {{deadlock}}. Pass {{held}} {{to}} {{helper}}, or call it after the release.',
    outside:
      'Runs outside the transaction of `{{pool}}` (line {{line}}) on a second connection: a rollback does not undo it. {{cure}}.',
    wrongArgument:
      'Runs outside the transaction of `{{pool}}` (line {{line}}): `{{method}}()` reads it from its {{position}} argument only. Pass {{written}} there.',
    outsideInHelper:
      'Runs outside the transaction of `{{pool}}` (line {{line}}) on a second connection: a rollback does not undo it. Pass {{held}} {{to}} {{helper}}, or call it after the transaction.',
    useHandle: 'Use `{{client}}` to stay in the transaction.',
    tellHandle: 'Pass `{{client}}` to join the transaction.',
    queryClient: 'Query `{{client}}` instead.',
  },
  options: inTests,
});
