import { columns, int16, int32, message, notice, row } from './lying-server.ts';
import type { Lie } from './lying-relay.ts';

/** Something that no server that speaks the protocol says. */
export interface NamedLie {
  readonly name: string;
  /** Made for each run. */
  readonly tell: () => Lie;
}

/** On each connection, from one of them on, the first message of a type, or the first after the server was ready so many times, is another one. */
function lie(name: string, type: string, instead: Lie, ready = 0, connection = 0): NamedLie {
  return {
    name,
    tell: () => {
      const told = new Set<number>();
      return (said) => {
        const isEarly = said.ready < ready || said.connection < connection;
        if (said.type !== type || isEarly || told.has(said.connection)) return undefined;
        const bytes = instead(said);
        if (bytes !== undefined) told.add(said.connection);
        return bytes;
      };
    },
  };
}

const raw = (type: string, body: Buffer | string) => message(type, Buffer.from(body));
const nothing = Buffer.alloc(0);
const before =
  (...others: readonly Buffer[]): Lie =>
  ({ bytes }) =>
    Buffer.concat([...others, bytes]);
const after =
  (...others: readonly Buffer[]): Lie =>
  ({ bytes }) =>
    Buffer.concat([bytes, ...others]);
const only =
  (...others: readonly Buffer[]): Lie =>
  () =>
    Buffer.concat(others);
const twice: Lie = ({ bytes }) => Buffer.concat([bytes, bytes]);
/** The same message with another length in its head. */
const withLength =
  (length: number): Lie =>
  ({ bytes }) => {
    const copy = Buffer.from(bytes);
    copy.writeInt32BE(length, 1);
    return copy;
  };
/** The same message with another body. */
const withBody =
  (change: (body: Buffer) => Buffer): Lie =>
  ({ bytes }) =>
    message(String.fromCharCode(bytes[0] ?? 0), change(bytes.subarray(5)));
const with16 = (at: number, value: number): Lie =>
  withBody((body) => {
    const copy = Buffer.from(body);
    copy.writeInt16BE(value, at);
    return copy;
  });
const with32 = (at: number, value: number): Lie =>
  withBody((body) => {
    const copy = Buffer.from(body);
    copy.writeInt32BE(value, at);
    return copy;
  });
const cut = (bytes: number): Lie => withBody((body) => body.subarray(0, body.length - bytes));
const longer = (bytes: number): Lie =>
  withBody((body) => Buffer.concat([body, Buffer.alloc(bytes, 'x')]));
const unterminated: Lie = withBody((body) => Buffer.from(body.map((byte) => byte || 0x78)));
const status = (name: string, value: string) => message('S', name, value);
const authentication = (code: number, body: Buffer | string = nothing) =>
  message('R', int32(code), Buffer.from(body));

const lengths: readonly NamedLie[] = [
  lie('a length that is shorter than itself', 'Z', withLength(3)),
  lie('a length of nothing', 'S', withLength(0)),
  lie('a length below nothing', 'S', withLength(-1)),
  lie('a length of 2 GB where five bytes belong', 'Z', withLength(2_000_000_000)),
  lie('a parameter of 2 GB', 'S', withLength(2_000_000_000)),
  lie('an unknown type', 'Z', before(raw('\0', 'x')), 1),
  lie('a letter that is no type', 'Z', before(raw('x', 'y')), 1),
  lie('a message of a client', 'Z', before(raw('Q', 'SELECT 1\0')), 1),
  lie('another protocol in the middle', 'Z', only(Buffer.from('HTTP/1.1 200 OK\r\n\r\nhello')), 1),
];

const logins: readonly NamedLie[] = [
  lie('no proof, but a welcome', 'R11', only(authentication(0))),
  lie('no proof at the end', 'R12', only(nothing)),
  lie('the proof of somebody else', 'R12', only(authentication(12, `v=${'A'.repeat(43)}=`))),
  lie('an error in place of the proof', 'R12', only(authentication(12, 'e=other-error'))),
  lie('a proof without a signature', 'R12', only(authentication(12, 'x=y'))),
  lie('SCRAM, and then the password as it is', 'R11', only(authentication(3))),
  lie('SCRAM, and then MD5', 'R11', only(authentication(5, 'salt'))),
  lie('a challenge twice', 'R11', twice),
  lie('two requests at once', 'R10', twice),
  lie('a proof before the challenge', 'R11', only(authentication(12, 'v=AAAA'))),
  lie('mechanisms without an end', 'R10', only(authentication(10, 'SCRAM-SHA-256'))),
  lie('an unknown mechanism', 'R10', only(authentication(10, 'PLAIN\0\0'))),
  lie('no mechanism', 'R10', only(authentication(10, '\0'))),
  lie(
    'a welcome and a request',
    'R10',
    only(authentication(0), authentication(10, 'SCRAM-SHA-256\0\0')),
  ),
  lie('Kerberos', 'R10', only(authentication(2))),
  lie('GSSAPI', 'R10', only(authentication(7))),
  lie('a way that does not exist', 'R10', only(authentication(99))),
  lie('a request without its code', 'R10', only(raw('R', 'ab'))),
  lie('a welcome with something more', 'R0', longer(4)),
  lie('two welcomes', 'R0', twice),
  lie('a salt that is too short', 'R10', only(authentication(5, 'sa'))),
  lie('a nonce of its own', 'R11', only(authentication(11, 'r=abc,s=c2FsdA==,i=4096'))),
  lie(
    'a challenge without rounds',
    'R11',
    withBody((body) => Buffer.from(body.toString().replace(/,i=\d+/, ''))),
  ),
  lie(
    'a billion rounds',
    'R11',
    withBody((body) => Buffer.from(body.toString().replace(/,i=\d+/, ',i=1000000000'))),
  ),
  lie(
    'a salt that is none',
    'R11',
    withBody((body) => Buffer.from(body.toString().replace(/,s=[^,]+/, ',s=%%%'))),
  ),
  lie('readiness before the welcome', 'R0', only(message('Z', Buffer.from('I')))),
  lie('a parameter before the welcome', 'R0', before(status('server_version', '18.4'))),
  lie('a key before the welcome', 'R0', before(message('K', int32(1), int32(2)))),
  lie('rows before the welcome', 'R0', before(columns([{ name: 'a' }]), row(['1']))),
  lie('a request in the middle of a session', 'Z', after(authentication(3)), 1),
  lie('another version of the protocol', 'R0', before(message('v', int32(0), int32(0)))),
];

const states: readonly NamedLie[] = [
  lie('a key that is too long', 'K', longer(4)),
  lie('a key that is too short', 'K', cut(4)),
  lie('two keys', 'K', twice),
  lie('a key in the middle of a session', 'Z', before(message('K', int32(1), int32(2))), 1),
  lie('a state that does not exist', 'Z', only(raw('Z', 'X')), 1),
  lie('a state of two letters', 'Z', only(raw('Z', 'II')), 1),
  lie('readiness twice', 'Z', twice, 1),
  lie('readiness twice at the login', 'Z', twice),
  lie('a parameter without an end', 'S', unterminated),
  lie('a parameter of a megabyte', 'S', only(status('application_name', 'x'.repeat(1_000_000)))),
  lie('a parameter with more than a value', 'S', longer(3)),
  lie(
    'another version in the middle of a session',
    'Z',
    before(status('server_version', '9.6.1')),
    2,
  ),
  lie(
    'two versions at the login',
    'K',
    before(status('server_version', '9.6.1'), status('server_version', '18.4')),
  ),
  lie(
    'another encoding in the middle of a session',
    'Z',
    before(status('server_encoding', 'SQL_ASCII')),
    2,
  ),
  lie(
    'other dates in the middle of a session',
    'Z',
    before(status('integer_datetimes', 'off'), status('integer_datetimes', 'on')),
    2,
  ),
  lie(
    'an error without a message',
    'Z',
    before(message('E', Buffer.from('SERROR\0C42601\0\0'))),
    1,
  ),
  lie('an error without anything', 'Z', before(raw('E', '\0')), 1),
  lie('an error without an end', 'Z', before(raw('E', 'SERROR\0Mwhy')), 1),
  lie('an error with something behind its end', 'Z', before(raw('E', 'SERROR\0Mwhy\0\0more')), 1),
  lie('an empty error', 'Z', before(raw('E', '')), 1),
  lie('a notice without an end', 'Z', before(raw('N', 'Mwhy')), 1),
  lie('a notice without a message', 'Z', before(raw('N', '\0')), 1),
  lie('a notification without a channel', 'Z', before(message('A', int32(1))), 1),
];

/** Of the first answers, and of later ones. */
function answers(ready: number): readonly NamedLie[] {
  const told = (name: string, type: string, instead: Lie) =>
    lie(ready === 1 ? name : `${name}, later`, type, instead, ready);
  return [
    told('more columns than described', 'D', ({ bytes, isDescribed }) => {
      if (!isDescribed) return undefined;
      const cells = bytes.subarray(7);
      return message('D', int16(bytes.readInt16BE(5) + 1), cells, int32(1), Buffer.from('x'));
    }),
    told('fewer columns than described', 'D', ({ isDescribed }) =>
      isDescribed ? row([]) : undefined,
    ),
    told('a row of less than no columns', 'D', with16(0, -1)),
    told('a value that is longer than its row', 'D', with32(2, 1_000_000)),
    told('a value of less than nothing', 'D', with32(2, -2)),
    told('a row with bytes left over', 'D', longer(3)),
    told('a row that is cut', 'D', cut(1)),
    told('an empty row', 'D', only(raw('D', ''))),
    told('rows that nobody described', 'T', only(nothing)),
    told('rows after their end', 'C', after(row(['1']))),
    told('rows when nothing was asked', 'Z', after(row(['1']))),
    told('columns when nothing was asked', 'Z', after(columns([{ name: 'a' }]))),
    told('an end when nothing was asked', 'Z', after(message('C', 'SELECT 1'))),
    told('columns twice', 'T', twice),
    told('less than no columns', 'T', with16(0, -1)),
    told('more columns than there are', 'T', with16(0, 1_600)),
    told('a column without an end of its name', 'T', unterminated),
    told('columns that are cut', 'T', cut(3)),
    told('columns with bytes left over', 'T', longer(3)),
    told('a column in binary form', 'T', ({ bytes }) => {
      const copy = Buffer.from(bytes);
      copy.writeInt16BE(1, copy.length - 2);
      return copy;
    }),
    told('an end without an end', 'C', only(raw('C', 'SELECT 1'))),
    told('an end without a text', 'C', only(raw('C', ''))),
    told('two ends', 'C', twice),
    told('no end', 'C', only(nothing)),
    told('an empty query with a text', 'C', only(raw('I', 'x'))),
    told('a suspended portal', 'C', only(raw('s', ''))),
    told('a copy to the server', 'C', only(message('G', Buffer.from([0]), int16(0)))),
    told(
      'a copy from the server',
      'C',
      only(message('H', Buffer.from([0]), int16(0)), raw('d', 'x'), raw('c', '')),
    ),
    told('a copy both ways', 'C', only(message('W', Buffer.from([0]), int16(0)))),
    told('data of a copy', 'C', before(raw('d', 'some bytes'))),
    told('the end of a copy', 'C', before(raw('c', ''))),
    told('the result of a function', 'C', before(message('V', int32(-1)))),
    told('parameters that nobody asked for', 'C', before(message('t', int16(1), int32(23)))),
    told('a statement that nobody closed', 'C', before(raw('3', ''))),
    told('a statement that nobody parsed', 'C', before(raw('1', ''))),
  ];
}

const extended: readonly NamedLie[] = [
  lie('no word of what was parsed', '1', only(nothing)),
  lie('parsed twice', '1', twice),
  lie('bound before it is parsed', '1', only(raw('2', ''), raw('1', ''))),
  lie('parsed, with more to say', '1', only(raw('1', 'x'))),
  lie('no word of what was bound', '2', only(nothing)),
  lie('bound twice', '2', twice),
];

/** Each breaks the protocol, wherever it is told. */
export const breaches: readonly NamedLie[] = [
  ...lengths,
  ...logins,
  ...states,
  ...answers(1),
  ...answers(4),
  ...extended,
];

/** Told to connections that run the load of a probe, or to those of the pool that checks its answer. */
export const duringLoad: readonly NamedLie[] = [2, 4].flatMap((connection) => {
  const told = (name: string, type: string, instead: Lie) =>
    lie(`${name}, from connection ${connection} on`, type, instead, 40, connection);
  return [
    told('a row comes when nothing was asked', 'Z', after(row(['1']))),
    told('a row has too many columns', 'D', only(row(['1', '2', '3', '4', '5']))),
    told('a row is cut', 'D', cut(1)),
    told('an answer has two ends', 'C', twice),
    told('an answer has no end', 'C', only(nothing)),
    told('a type is unknown', 'Z', before(raw('?', 'x'))),
    told('the version changes', 'Z', before(status('server_version', '9.6.1'))),
    told('an error has no message', 'Z', before(raw('E', '\0'))),
  ];
});

/** Changes the answers to our own statements, all of a kind. */
function everyRow(name: string, change: Lie, type = 'D', ready = 0): NamedLie {
  return {
    name,
    tell: () => (said) => (said.type === type && said.ready >= ready ? change(said) : undefined),
  };
}

/** The type of each column in `T` stands 12 bytes before the end of it. */
function withTypes(oid: number): Lie {
  return ({ bytes }) => {
    const copy = Buffer.from(bytes);
    let at = 7;
    for (let column = 0; column < bytes.readInt16BE(5); column++) {
      at = bytes.indexOf(0, at) + 1;
      copy.writeUInt32BE(oid, at + 6);
      at += 18;
    }
    return copy;
  };
}

/** The values of a row become others. */
function withValues(change: (value: string | null, at: number) => string | null): Lie {
  return ({ bytes }) => {
    const values: (string | null)[] = [];
    for (let at = 7; values.length < bytes.readInt16BE(5);) {
      const length = bytes.readInt32BE(at);
      values.push(length < 0 ? null : bytes.toString('utf8', at + 4, at + 4 + length));
      at += 4 + Math.max(0, length);
    }
    return row(values.map(change));
  };
}

/** Right by the protocol, and no answer to what was asked. Some of it nobody can tell from the truth. */
export const wrongRows: readonly NamedLie[] = [
  ...[0, 1, 3].flatMap((ready) => [
    everyRow(
      `nulls after ${ready} answers`,
      withValues(() => null),
      'D',
      ready + 1,
    ),
    everyRow(
      `words after ${ready} answers`,
      withValues(() => 'many'),
      'D',
      ready + 1,
    ),
    everyRow(
      `huge numbers after ${ready} answers`,
      withValues(() => '9'.repeat(400)),
      'D',
      ready + 1,
    ),
    everyRow(`no rows after ${ready} answers`, () => nothing, 'D', ready + 1),
    everyRow(`each row twice after ${ready} answers`, twice, 'D', ready + 1),
    everyRow(`numbers in all columns after ${ready} answers`, withTypes(23), 'T', ready + 1),
    everyRow(`JSON in all columns after ${ready} answers`, withTypes(114), 'T', ready + 1),
    everyRow(`texts in all columns after ${ready} answers`, withTypes(25), 'T', ready + 1),
    everyRow(`lists in all columns after ${ready} answers`, withTypes(1009), 'T', ready + 1),
    everyRow(`times in all columns after ${ready} answers`, withTypes(1114), 'T', ready + 1),
    everyRow(`truths in all columns after ${ready} answers`, withTypes(16), 'T', ready + 1),
    everyRow(`intervals in all columns after ${ready} answers`, withTypes(1186), 'T', ready + 1),
    everyRow(
      `columns of other names after ${ready} answers`,
      ({ bytes }) =>
        columns(
          Array.from({ length: bytes.readInt16BE(5) }, (_, at) => ({
            name: at === 0 ? '__proto__' : `c${at}`,
          })),
        ),
      'T',
      ready + 1,
    ),
    everyRow(
      `notices with every answer after ${ready} answers`,
      before(notice('yes')),
      'Z',
      ready + 1,
    ),
    everyRow(
      `a command tag of its own after ${ready} answers`,
      only(message('C', 'SELECT 99999999999999999999 -1')),
      'C',
      ready + 1,
    ),
  ]),
];
