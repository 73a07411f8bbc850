import { describe, expect, test } from 'vitest';
import { AnswerReader } from '../../../../src/database/protocol/answer-reader.ts';
import { Conversation, ProtocolBreach } from '../../../../src/database/protocol/conversation.ts';
import { columns, int16, int32, message, notice, row } from '../../../support/lying-server.ts';

const code = (letter: string) => letter.charCodeAt(0);
const status = (name: string, value: string) => message('S', name, value);
const request = (number: number, body: Buffer | string = '') =>
  message('R', int32(number), Buffer.from(body));
const key = message('K', int32(7), int32(8));
const ready = message('Z', Buffer.from('I'));
const failing = message('Z', Buffer.from('E'));
const error = message('E', Buffer.from('SERROR\0C42601\0Mno\0\0'));
const end = message('C', 'SELECT 1');
const one = columns([{ name: 'a' }]);
const two = columns([{ name: 'a' }, { name: 'b' }]);
const [parsed, bound, empty, noData] = [message('1'), message('2'), message('I'), message('n')];

/** What the client sends, by its letters, and what the server does. */
type Turn = string | Buffer;

/** Null where all of it fits, else what is said of the first message that does not. */
function follow(
  turns: readonly Turn[],
  { loggedIn = true, most = 1_000_000, inClear = true } = {},
): string | null {
  const conversation = new Conversation();
  const rules = { mostAnswerBytes: most, mayAskInClear: inClear };
  const reader = new AnswerReader(conversation, rules);
  conversation.greet();
  if (loggedIn) reader.read(Buffer.concat([request(0), key, ready]));
  try {
    for (const turn of turns) {
      if (typeof turn !== 'string') reader.read(turn);
      else for (const letter of turn) conversation.ask(code(letter));
    }
    return null;
  } catch (thrown) {
    if (thrown instanceof ProtocolBreach || /longer than|clear text/.test(String(thrown)))
      return (thrown as Error).message;
    throw thrown;
  }
}

const scram = request(10, 'SCRAM-SHA-256\0\0');
const challenge = request(11, 'r=x,s=y,i=1');
const proof = request(12, 'v=z');

test.each<[string, Turn[]]>([
  ['trust', [request(0), status('server_version', '18.4'), key, ready]],
  ['a notice before anything', [notice('hello'), request(0), ready]],
  ['a password', [request(3), 'p', request(0), ready]],
  ['MD5', [request(5, 'salt'), 'p', request(0), key, ready]],
  ['SCRAM', [scram, 'p', challenge, 'p', proof, request(0), key, ready]],
  ['a refusal', [error]],
  ['two errors', [error, error]],
  ['a refusal after SCRAM', [scram, 'p', challenge, 'p', error]],
  ['a refusal after the welcome', [request(0), status('a', 'b'), error]],
])('a server may let in or refuse by %s', (_how, turns) => {
  expect(follow(turns, { loggedIn: false })).toBeNull();
});

test.each<[string, Turn[], string]>([
  [
    'no proof',
    [scram, 'p', challenge, 'p', request(0)],
    'AuthenticationOk in answer to SASLResponse',
  ],
  [
    'a proof before that of the client',
    [scram, 'p', challenge, proof],
    'AuthenticationSASLFinal before its AuthenticationSASLContinue was answered',
  ],
  [
    'the password after all',
    [scram, 'p', request(3)],
    'AuthenticationCleartextPassword in answer to SASLInitialResponse',
  ],
  [
    'a welcome before the reply',
    [request(3), request(0)],
    'AuthenticationOk before its request for a password was answered',
  ],
  ['no welcome', [ready], 'ReadyForQuery in answer to the startup message'],
  [
    'a welcome after a refusal',
    [error, request(0)],
    'AuthenticationOk after an error that ends the session',
  ],
  ['two keys', [request(0), key, key], 'BackendKeyData in answer to the login'],
  [
    'a way that does not exist',
    [request(99)],
    'a message of an unknown type in answer to the startup message',
  ],
  [
    'a negative way',
    [request(-189, '\0')],
    'a message of an unknown type in answer to the startup message',
  ],
])('a server may not let in with %s', (_how, turns, said) => {
  expect(follow(turns, { loggedIn: false })).toBe(`The server sent ${said}`);
});

test('whether the password may be asked for as it is', () => {
  expect(follow([request(3)], { loggedIn: false, inClear: false })).toBe(
    'The password is wanted in clear text',
  );
});

test.each<[string, Turn[]]>([
  ['rows', ['Q', one, row(['x']), row([null]), end, ready]],
  ['no rows', ['Q', one, end, ready]],
  ['several results', ['Q', one, row(['x']), end, end, two, row(['x', 'y']), end, ready]],
  ['nothing', ['Q', empty, ready]],
  ['an error', ['Q', error, failing]],
  ['an error among rows', ['Q', one, row(['x']), error, failing, 'Q', end, ready]],
  [
    'notices, parameters and notifications at any time',
    [
      notice('n'),
      'Q',
      status('TimeZone', 'UTC'),
      one,
      notice('n'),
      row(['x']),
      message('A', int32(1), 'channel', ''),
      end,
      ready,
      status('TimeZone', 'CET'),
    ],
  ],
  ['a prepared statement', ['PBDES', parsed, bound, one, row(['x']), end, ready]],
  [
    'two executions with one Sync',
    ['PBEPBDES', parsed, bound, row(['x', 'y']), end, parsed, bound, noData, end, ready],
  ],
  [
    'pipelined messages',
    [
      'PBDES',
      'PBDES',
      'PBDES',
      ...[parsed, bound, one, end, ready],
      ...[error, ready],
      ...[parsed, bound, noData, empty, ready],
    ],
  ],
  ['nothing for what is sent after an error', ['PB', error, 'DE', 'S', ready, 'Q', end, ready]],
  ['an error that ends the session', [error, notice('n')]],
  ['an error at the Sync', ['PBES', parsed, bound, end, error, failing]],
])('a server may answer with %s', (_what, turns) => {
  expect(follow(turns)).toBeNull();
});

test.each<[string, Turn[], string]>([
  [
    'more columns',
    ['Q', one, row(['x', 'y'])],
    'DataRow of 2 columns, where 1 are described, in answer to Query',
  ],
  [
    'fewer columns',
    ['PBDES', parsed, bound, two, row(['x'])],
    'DataRow of 1 columns, where 2 are described, in answer to Execute',
  ],
  [
    'rows of different lengths',
    ['PBES', parsed, bound, row(['x']), row(['x', 'y'])],
    'DataRow of 2 columns, where 1 are described, in answer to Execute',
  ],
  [
    'rows after NoData',
    ['PBDES', parsed, bound, noData, row(['x'])],
    'DataRow after NoData, in answer to Execute',
  ],
  ['rows without columns', ['Q', row(['x'])], 'DataRow in answer to Query'],
  ['rows after their end', ['Q', one, end, row(['x'])], 'DataRow after a result of Query'],
  ['readiness without a result', ['Q', ready], 'ReadyForQuery in answer to Query'],
  ['readiness twice', ['Q', end, ready, ready], 'ReadyForQuery without being asked'],
  ['an end too many', ['PBES', parsed, bound, end, end], 'CommandComplete in answer to Sync'],
  ['bound before parsed', ['PBES', bound], 'BindComplete in answer to Parse'],
  ['more after an error', ['PBES', parsed, error, bound], 'BindComplete in answer to Sync'],
  ['a copy', ['Q', message('G', Buffer.from([0]), int16(0))], 'CopyInResponse in answer to Query'],
  [
    'a message of a client',
    ['Q', message('Q', 'SELECT 1')],
    'a message of an unknown type in answer to Query',
  ],
  [
    'a value longer than its row',
    ['Q', one, message('D', int16(1), int32(9), Buffer.from('x'))],
    'a malformed DataRow (a value is longer than the message) in answer to Query',
  ],
  [
    'a length below four',
    ['Q', Buffer.from([code('C'), 0, 0, 0, 3])],
    'a message of 3 bytes in answer to Query',
  ],
  [
    'a negative length',
    ['Q', Buffer.from([code('D'), 255, 255, 255, 255])],
    'a message of -1 bytes in answer to Query',
  ],
  [
    'an end of more than 64 KB',
    ['Q', Buffer.from([code('C'), 0, 2, 0, 0])],
    'a message of 131073 bytes in answer to Query',
  ],
])('a server may not answer with %s', (_what, turns, said) => {
  expect(follow(turns)).toBe(`The server sent ${said}`);
});

test('parameters that no session can change stay, others change', () => {
  const version = (value: string) => status('server_version', value);
  const style = (value: string) => status('DateStyle', value);
  expect(follow([version('18.4'), version('18.4'), style('ISO'), style('German')])).toBeNull();
  expect(follow([version('18.4'), version('9.6.1')])).toBe(
    'The server sent another server_version without being asked',
  );
});

describe('an answer that is too long', () => {
  const most = 1_000;

  test.each<[string, Turn[]]>([
    ['by its own account', ['Q', one, Buffer.from([code('D'), 0x7f, 255, 255, 255])]],
    ['by all of its rows', ['Q', one, ...Array.from({ length: 100 }, () => row(['x'.repeat(20)]))]],
    ['by notices that nobody asked for', Array.from({ length: 100 }, () => notice('x'.repeat(20)))],
  ])('is cut off: %s', (_how, turns) => {
    expect(follow(turns, { most })).toBe('The answer is longer than 1000 bytes');
  });

  test('several that are not are taken', () => {
    const turns = Array.from({ length: 100 }, () => ['Q', one, row(['x'.repeat(500)]), end, ready]);
    expect(follow(turns.flat(), { most })).toBeNull();
  });
});

test('however the bytes arrive, whole messages are passed on, and all of them', () => {
  const said = [parsed, bound, two, row(['x', null]), row(['y'.repeat(300), '']), end, ready];
  const bytes = Buffer.concat(said);
  for (let size = 1; size <= bytes.length; size++) {
    const conversation = new Conversation();
    const rules = { mostAnswerBytes: 10_000, mayAskInClear: true };
    const reader = new AnswerReader(conversation, rules);
    conversation.greet();
    reader.read(Buffer.concat([request(0), ready]));
    for (const letter of 'PBDES') conversation.ask(code(letter));
    const passed: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      const messages = reader.read(bytes.subarray(at, at + size));
      if (messages !== undefined) passed.push(messages);
    }
    expect(Buffer.concat(passed).equals(bytes)).toBe(true);
    expect(reader.lastBytes).toBe(bytes.length);
    if (size === 1) expect(passed).toEqual(said);
  }
});
