import { describeRule } from './rule-text.ts';

interface Options {
  readonly allow: readonly string[];
  readonly transactionsOnly: boolean;
}

/**
 * A client that is held while something else is awaited serves nobody: with 10 clients and a 2 s call, the pool serves at
 * most 5 requests a second. A backend lost meanwhile ends the process, because a checked-out client has no error listener.
 *
 * Not seen: slow work behind packages that are not in `model/slow-calls.ts`, and behind functions of unknown origin.
 */
export default describeRule<Options>({
  id: 'no-external-await-while-holding',
  description: 'Something slow that is not the database is awaited while a client is held.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'warn' },
  messages: {
    held: 'The client checked out at line {{line}} is held while this waits for {{what}}; nobody else can use it meanwhile, and {{emptied}}. Move this before the checkout or behind the release.',
    heldInTransaction:
      'The client checked out at line {{line}} is held, with its transaction open, while this waits for {{what}}: its locks and its place in the pool stay taken. Move this before BEGIN or behind COMMIT and the release.',
    inTransaction:
      'The transaction from line {{line}} holds its connection while this waits for {{what}}: its locks and its place in the pool stay taken. Move this before or behind the transaction.',
    inConnection:
      'The connection lent at line {{line}} is held while this waits for {{what}}; nobody else can use it meanwhile, and a pool of 10 is empty after 10 such calls. Move this before or behind the callback.',
  },
  options: {
    properties: {
      allow: {
        type: 'array',
        items: { type: 'string' },
        uniqueItems: true,
        description:
          'Functions as they are called (`redis.get`), packages (`ioredis`) and members of packages (`ioredis.get`) that answer fast enough.',
      },
      transactionsOnly: {
        type: 'boolean',
        description: 'Report only what is awaited while a transaction is open.',
      },
    },
    defaults: { allow: [], transactionsOnly: false },
    accepts: ({ messageId, names = [] }, { allow, transactionsOnly }) =>
      (!transactionsOnly || messageId === 'heldInTransaction' || messageId === 'inTransaction') &&
      !names.some((name) => allow.some((each) => withoutScheme(each) === withoutScheme(name))),
  },
});

/** `node:timers/promises` and `timers/promises` are one module. */
function withoutScheme(name: string): string {
  return name.replace(/^node:/u, '');
}
