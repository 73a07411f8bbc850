import type { MessageName } from './backend-messages.ts';

/** How far the answer to one message of the client has come. */
type StateName =
  | 'login'
  | 'wantsPassword'
  | 'password'
  | 'wantsScram'
  | 'scramBegun'
  | 'wantsProof'
  | 'scramReplied'
  | 'proven'
  | 'welcomed'
  | 'keyed'
  | 'query'
  | 'rows'
  | 'result'
  | 'queryFailed'
  | 'parse'
  | 'bind'
  | 'describe'
  | 'execute'
  | 'sync'
  | 'idle'
  | 'over';

/** `answered`: the server owes nothing more of it. `skip`: it leaves out all answers up to that to the next Sync. */
export type Next = StateName | 'stay' | 'answered' | 'skip';

export interface State {
  /** Goes on after "The server sent DataRow". */
  readonly when: string;
  /** What each message leads to. Any other is a breach. */
  readonly next: Readonly<Partial<Record<MessageName, Next>>>;
  /** What it is when the client has replied to a request for a password. */
  readonly replied?: StateName;
}

type Answers = State['next'];

const login = (asked: string, next: Answers): State => ({
  when: `in answer to ${asked}`,
  next: { NoticeResponse: 'stay', ErrorResponse: 'over', ...next },
});

const beforeReply = (request: string, replied: StateName): State => ({
  when: `before its ${request} was answered`,
  next: { NoticeResponse: 'stay', ErrorResponse: 'over' },
  replied,
});

const anyTime: Answers = {
  NoticeResponse: 'stay',
  NotificationResponse: 'stay',
  ParameterStatus: 'stay',
};

const simple = (when: string, next: Answers): State => ({
  when,
  next: { ...anyTime, ErrorResponse: 'queryFailed', ...next },
});

const extended = (asked: string, next: Answers): State => ({
  when: `in answer to ${asked}`,
  next: { ...anyTime, ErrorResponse: 'skip', ...next },
});

const results: Answers = {
  RowDescription: 'rows',
  CommandComplete: 'result',
  EmptyQueryResponse: 'result',
};

/**
 * The protocol from login to end (PostgreSQL, "Message Flow"), as far as Poolguard speaks it: of copies, functions and cursors it sends
 * nothing, so that no answer to them may come.
 */
export const states: Readonly<Record<StateName, State>> = {
  login: login('the startup message', {
    AuthenticationOk: 'welcomed',
    AuthenticationCleartextPassword: 'wantsPassword',
    AuthenticationMD5Password: 'wantsPassword',
    AuthenticationSASL: 'wantsScram',
  }),
  wantsPassword: beforeReply('request for a password', 'password'),
  password: login('the password', { AuthenticationOk: 'welcomed' }),
  wantsScram: beforeReply('AuthenticationSASL', 'scramBegun'),
  scramBegun: login('SASLInitialResponse', { AuthenticationSASLContinue: 'wantsProof' }),
  wantsProof: beforeReply('AuthenticationSASLContinue', 'scramReplied'),
  // Without the server's own proof nobody is let in, and it cannot ask for the password as it is any more.
  scramReplied: login('SASLResponse', { AuthenticationSASLFinal: 'proven' }),
  proven: login('SASLResponse', { AuthenticationOk: 'welcomed' }),
  welcomed: login('the login', {
    ParameterStatus: 'stay',
    BackendKeyData: 'keyed',
    ReadyForQuery: 'answered',
  }),
  keyed: login('the login', { ParameterStatus: 'stay', ReadyForQuery: 'answered' }),

  query: simple('in answer to Query', results),
  rows: simple('in answer to Query', { DataRow: 'stay', CommandComplete: 'result' }),
  result: simple('after a result of Query', { ...results, ReadyForQuery: 'answered' }),
  queryFailed: simple('after an error', { ReadyForQuery: 'answered' }),

  parse: extended('Parse', { ParseComplete: 'answered' }),
  bind: extended('Bind', { BindComplete: 'answered' }),
  describe: extended('Describe', { RowDescription: 'answered', NoData: 'answered' }),
  execute: extended('Execute', {
    DataRow: 'stay',
    CommandComplete: 'answered',
    EmptyQueryResponse: 'answered',
  }),
  sync: extended('Sync', { ReadyForQuery: 'answered' }),

  // An error that nothing asked for ends the session.
  idle: { when: 'without being asked', next: { ...anyTime, ErrorResponse: 'over' } },
  over: {
    when: 'after an error that ends the session',
    next: { ...anyTime, ErrorResponse: 'stay' },
  },
};
