import { inTests, type InTests } from './in-tests.ts';
import { describeRule } from './rule-text.ts';

interface Options extends InTests {
  readonly allow: readonly string[];
  readonly transactionsOnly: boolean;
}

/**
 * A client that is held during another wait is idle: with 10 clients and a call of 2 s, the pool serves at most 5 requests a second.
 * If the backend is lost during that wait, the process ends, because a checked-out client has no error listener.
 *
 * Not seen: slow work in packages that are not in `model/slow-calls.ts`, and in functions of unknown origin.
 */
export default describeRule<Options>({
  id: 'no-external-await-while-holding',
  description:
    'Disallow waiting for something slow other than the database while holding a client.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'warn' },
  messages: {
    held: 'Holds the client from line {{line}} during {{what}}: under load this exhausts the pool{{limits}}. Move {{call}} before the checkout or after the release.',
    heldInTransaction:
      'Keeps a transaction open during {{what}}: its locks stay held. Move {{call}} before the checkout or after the release.',
    inTransaction:
      'Keeps the transaction from line {{line}} open during {{what}}: its locks stay held. Move {{call}} before or after the transaction.',
    inConnection:
      'Holds the connection from line {{line}} during {{what}}: under load this exhausts the pool. Move {{call}} before or after the callback.',
  },
  options: {
    properties: {
      allow: {
        type: 'array',
        items: { type: 'string' },
        uniqueItems: true,
        description:
          'Functions as they are called (`redis.get`), packages (`ioredis`) and members of packages (`ioredis.get`) that respond fast enough.',
      },
      transactionsOnly: {
        type: 'boolean',
        description: 'Report only awaits inside an open transaction.',
      },
      ...inTests.properties,
    },
    defaults: { allow: [], transactionsOnly: false, ...inTests.defaults },
    accepts: (finding, { allow, transactionsOnly, ...options }) => {
      const { messageId, names = [] } = finding;
      return (
        inTests.accepts(finding, options) &&
        (!transactionsOnly || messageId === 'heldInTransaction' || messageId === 'inTransaction') &&
        !names.some((name) => allow.some((each) => withoutScheme(each) === withoutScheme(name)))
      );
    },
  },
});

/** `node:timers/promises` and `timers/promises` are one module. */
function withoutScheme(name: string): string {
  return name.replace(/^node:/u, '');
}
