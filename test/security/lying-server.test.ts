import { expect, test, vi } from 'vitest';
import dns from 'node:dns';
import { Socket } from 'node:net';
import { connectSession } from '../../src/database/connect.ts';
import { readActivity } from '../../src/database/read-activity.ts';
import { parseTarget } from '../../src/database/target.ts';
import {
  cancelCode,
  greetSession,
  int32,
  int4Type,
  message,
  notice,
  row,
  rows,
  startLyingServer,
  type Lies,
  type LyingServer,
} from '../support/lying-server.ts';

const password = 'geheim-4711';

function access(server: LyingServer, host = '127.0.0.1', query = '') {
  const parsed = parseTarget(`postgres://app:${password}@${host}:${server.port}/shop${query}`);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return parsed;
}

async function connect(server: LyingServer, host?: string, query?: string) {
  const { target, secret } = access(server, host, query);
  return connectSession(target, secret);
}

async function against<Result>(
  lies: Lies,
  run: (server: LyingServer) => Promise<Result>,
): Promise<Result> {
  const server = await startLyingServer(lies);
  try {
    return await run(server);
  } finally {
    vi.restoreAllMocks();
    await server.stop();
  }
}

test('a server that says it has no TLS is sent neither a name nor a password', () =>
  against({}, async (server) => {
    const answer = await connect(server, '127.0.0.1', '?sslmode=require');
    expect(answer).toMatchObject({
      kind: 'failed',
      failure: { kind: 'tls-refused', otherTls: 'off' },
    });
    expect(server.heard()).toHaveLength(8);
  }));

const asks: readonly (readonly [how: string, greeting: Buffer])[] = [
  ['in clear text', message('R', int32(3))],
  ['in a way that does not exist', message('R', int32(99))],
  [
    'by SCRAM with a billion rounds',
    Buffer.concat([message('R', int32(10), 'SCRAM-SHA-256', Buffer.from('\0'))]),
  ],
];

/** Names lead to this machine, which then says that it is another one: no name that a test may use leads elsewhere. Node's `remoteAddress` asks `_getpeername`. */
function leadingTo(address: string): void {
  vi.spyOn(dns, 'lookup').mockImplementation(((
    _name: string,
    options: dns.LookupOptions,
    callback: (error: null, found: unknown, family: number) => void,
  ) => {
    callback(null, options.all === true ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
  }) as typeof dns.lookup);
  vi.spyOn(
    Socket.prototype as unknown as { _getpeername(): unknown },
    '_getpeername',
  ).mockReturnValue({ address, family: 'IPv4', port: 5432 });
}

test('a server of a public network that asks for the password in clear text without TLS does not get it', () =>
  against({ greeting: asks[0]?.[1] ?? Buffer.alloc(0) }, async (server) => {
    leadingTo('203.0.113.9');
    const answer = await connect(server, 'db.example.com', '?sslmode=disable');
    expect(answer).toMatchObject({
      kind: 'failed',
      failure: {
        kind: 'tls-refused',
        sentence: expect.stringContaining('cleartext password') as string,
      },
    });
    expect(server.heard().toString('latin1')).not.toContain(password);
  }));

test.each(asks.slice(1))(
  'a server that asks for the password %s does not get it as it is, nor a busy client',
  (_how, greeting) =>
    against({ greeting }, async (server) => {
      const answer = await connect(server);
      expect(answer).toMatchObject({
        kind: 'failed',
        failure: {
          sentence: expect.stringMatching(/unknown type in answer to|iteration count/) as string,
        },
      });
      expect(server.heard().toString('latin1')).not.toContain(password);
    }),
);

test.each([
  ['db.localhost', '203.0.113.9', /which is not this machine/],
  ['localhost', '10.0.0.9', /which is not this machine/],
  ['shop', '203.0.113.9', /which is not in a private network/],
  ['db.internal', '2001:db8::9', /which is not in a private network/],
  ['db.internal', '::ffff:8.8.8.8', /which is not in a private network/],
])('a name that counts as near and leads far away is sent nothing: %s → %s', (host, address, why) =>
  against({}, async (server) => {
    leadingTo(address);
    const answer = await connect(server, host, '?sslmode=disable');
    expect(answer).toMatchObject({
      kind: 'failed',
      failure: { kind: 'tls-refused', sentence: expect.stringMatching(why) as string },
    });
    expect(server.heard()).toHaveLength(0);
  }),
);

test.each([
  ['localhost', '::1'],
  ['localhost', '::ffff:127.0.0.1'],
  ['shop', '172.18.0.3'],
  ['db.internal', 'fdaa::3'],
  ['db.local', 'fe80::1%eth0'],
  ['db.example.com', '203.0.113.9'],
  ['127.0.0.1', '127.0.0.1'],
])('a name that leads where it says is connected to: %s → %s', (host, address) =>
  against({ answer: (text) => greetSession(text) }, async (server) => {
    leadingTo(address);
    const answer = await connect(server, host, '?sslmode=disable');
    expect(answer.kind).toBe('connected');
    if (answer.kind === 'connected') await answer.session.close();
  }),
);

test('a cancel goes to the server that is connected, whatever its name leads to by then', () =>
  against({ answer: (text) => greetSession(text) }, async (server) => {
    const answer = await connect(server, 'localhost');
    if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
    const lookup = vi.spyOn(dns, 'lookup');
    await answer.session.cancel();
    expect(lookup).not.toHaveBeenCalled();
    expect(
      server.heard().includes(Buffer.concat([int32(16), int32(cancelCode), int32(4711), int32(1)])),
    ).toBe(true);
    await answer.session.close();
  }));

const mostBytes = 2_000_000;

test.each([
  ['rows without end', 'statement', row(['x'.repeat(1_000)])],
  ['notices without end', 'statement', notice('y'.repeat(1_000))],
  ['notices without end before it lets anybody in', 'greeting', notice('z'.repeat(1_000))],
  [
    'one message that is longer than any memory',
    'statement',
    Buffer.concat([Buffer.from('D'), int32(2_000_000_000), Buffer.alloc(60_000)]),
  ],
] as const)('a server that sends %s is cut off', (_what, after, of) =>
  against(
    { ...(after === 'greeting' && { greeting: message('R', int32(0)) }), flood: { of, after } },
    async (server) => {
      const { target, secret } = access(server);
      const answer = await connectSession(target, secret, { mostAnswerBytes: mostBytes });
      expect(answer).toMatchObject({
        kind: 'failed',
        failure: {
          kind: 'too-long',
          sentence: expect.stringContaining('exceeds 2 MB') as string,
        },
      });
      // What is in the buffers of both sockets was sent as well.
      expect(server.sentBytes()).toBeLessThan(mostBytes + 20_000_000);
    },
  ),
);

const wrongAnswers: readonly (readonly [what: string, answer: (text: string) => Buffer])[] = [
  ['nothing', () => message('I')],
  ['no rows', () => rows([{ name: 'pid', type: int4Type }], [])],
  ['rows without columns', () => rows([], [[], []])],
  [
    'nulls',
    (text) =>
      rows(columnsOf(text), [columnsOf(text).map(() => null), columnsOf(text).map(() => null)]),
  ],
  ['words for numbers', (text) => rows(columnsOf(text), [columnsOf(text).map(() => 'many')])],
  [
    'columns of prototypes',
    () => rows([{ name: '__proto__' }, { name: 'constructor' }], [['a', 'b']]),
  ],
];

/** The names that a statement gives its columns, so that an answer has them all. */
function columnsOf(text: string) {
  return [...new Set([...text.matchAll(/AS "?(\w+)"?/g)].map((match) => match[1] ?? ''))].map(
    (name) => ({ name }),
  );
}

test.each(wrongAnswers)(
  'a server that answers everything with %s is a failure in words',
  (_what, answer) =>
    against({ answer }, async (server) => {
      const connected = await connect(server);
      if (connected.kind === 'failed') return expect(connected.failure.sentence).toMatch(/\.$/);
      const look = await readActivity(connected.session);
      await connected.session.close();
      if (look.kind === 'report') expect(JSON.stringify(look.report)).not.toContain('undefined');
      else expect(look.failure.sentence).toMatch(/\.$/);
    }),
);
