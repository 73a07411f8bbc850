import {
  anyBody,
  type BodyCheck,
  describedColumns,
  fieldsOfError,
  listOfTexts,
  ofLength,
  ofTexts,
  rowOfValues,
  transactionStatus,
} from './message-bodies.ts';

/** A kind of message that a server sends (PostgreSQL, "Message Formats"). */
interface BackendMessage {
  readonly name: MessageName;
  readonly check: BodyCheck;
}

const empty = ofLength(0);

/** By the letter of its type. Authentication requests, which share one, are told apart by the number in their body. */
const rows = [
  ['1', 'ParseComplete', empty],
  ['2', 'BindComplete', empty],
  ['3', 'CloseComplete', empty],
  ['A', 'NotificationResponse', ofTexts(4, 2)],
  ['C', 'CommandComplete', ofTexts(0, 1)],
  ['D', 'DataRow', rowOfValues],
  ['E', 'ErrorResponse', fieldsOfError],
  ['G', 'CopyInResponse', anyBody],
  ['H', 'CopyOutResponse', anyBody],
  ['I', 'EmptyQueryResponse', empty],
  ['K', 'BackendKeyData', ofLength(8)],
  ['N', 'NoticeResponse', fieldsOfError],
  ['S', 'ParameterStatus', ofTexts(0, 2)],
  ['T', 'RowDescription', describedColumns],
  ['V', 'FunctionCallResponse', anyBody],
  ['W', 'CopyBothResponse', anyBody],
  ['Z', 'ReadyForQuery', transactionStatus],
  ['c', 'CopyDone', anyBody],
  ['d', 'CopyData', anyBody],
  ['n', 'NoData', empty],
  ['s', 'PortalSuspended', empty],
  ['t', 'ParameterDescription', anyBody],
  ['v', 'NegotiateProtocolVersion', anyBody],
  [0, 'AuthenticationOk', ofLength(4)],
  [2, 'AuthenticationKerberosV5', anyBody],
  [3, 'AuthenticationCleartextPassword', ofLength(4)],
  [5, 'AuthenticationMD5Password', ofLength(8)],
  [7, 'AuthenticationGSS', anyBody],
  [8, 'AuthenticationGSSContinue', anyBody],
  [9, 'AuthenticationSSPI', anyBody],
  [10, 'AuthenticationSASL', (bytes, start, end) => listOfTexts(bytes, start + 4, end)],
  [11, 'AuthenticationSASLContinue', anyBody],
  [12, 'AuthenticationSASLFinal', anyBody],
] as const satisfies readonly (readonly [type: string | number, name: string, check: BodyCheck])[];

export type MessageName = (typeof rows)[number][1];

const authentication = 'R'.charCodeAt(0);

/** Behind all letters. */
const firstRequest = 256;

/** By the code of their letter, or the number of a request behind all of these. */
const messages: ReadonlyMap<number, BackendMessage> = new Map(
  rows.map(([type, name, check]) => [
    typeof type === 'string' ? type.charCodeAt(0) : firstRequest + type,
    { name, check },
  ]),
);

/** The message that begins at an offset, of which all is there; undefined for one that there is not. */
export function messageAt(bytes: Buffer, start: number, end: number): BackendMessage | undefined {
  const letter = bytes[start] ?? 0;
  if (letter !== authentication) return messages.get(letter);
  return start + 9 > end ? undefined : messages.get(firstRequest + bytes.readUInt32BE(start + 5));
}
