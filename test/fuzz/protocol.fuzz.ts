import fc from 'fast-check';
import { expect } from 'vitest';
import { connectSession } from '../../src/database/connect.ts';
import { AnswerReader } from '../../src/database/protocol/answer-reader.ts';
import { Conversation, ProtocolBreach } from '../../src/database/protocol/conversation.ts';
import { readActivity } from '../../src/database/read-activity.ts';
import { readProbeServerFacts } from '../../src/database/probe-server.ts';
import { accessTo } from '../support/access-to.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import {
  type Exchange,
  messagesIn,
  recordConversation,
  startReplay,
} from '../support/recorded-conversation.ts';
import { fuzz } from './support/fuzz.ts';

const mostAnswerBytes = 1_000_000;

/** What two readers of Poolguard say to a real server, and a workload between them. */
async function talk(url: string): Promise<readonly string[]> {
  const { target, secret } = accessTo(url);
  const answer = await connectSession(target, secret, { mostAnswerBytes });
  if (answer.kind === 'failed') return [answer.failure.sentence];
  const { session } = answer;
  try {
    const answers = [
      await readActivity(session),
      await session.run({ text: 'SELECT n, NULL FROM pg_catalog.generate_series(1, 50) AS n' }),
      await session.readRewritten('SELECT 1'),
      await readProbeServerFacts(session),
    ];
    return answers.flatMap((each) => (each.kind === 'failed' ? [each.failure.sentence] : []));
  } finally {
    await session.close();
  }
}

function through(port: number): string {
  const url = new URL(postgresUrl());
  url.port = String(port);
  return url.href;
}

const recorded = recordConversation(Number(new URL(postgresUrl()).port), (port) =>
  talk(through(port)),
);

/** What becomes of one message, or of a few bytes, somewhere among all. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  inside: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  how: fc.constantFrom('flip', 'cut', 'insert', 'drop', 'twice', 'swap', 'length', 'type', 'zeros'),
  byte: fc.nat(255),
  size: fc.oneof(fc.nat(12), fc.constantFrom(-1, 2 ** 31 - 1, 65_536)),
});
type Change = typeof change extends fc.Arbitrary<infer Each> ? Each : never;
const changes = fc.array(change, { minLength: 1, maxLength: 4 });

function changed(messages: readonly Buffer[], { at, inside, how, byte, size }: Change): Buffer[] {
  const index = Math.floor(at * messages.length);
  const copy = Buffer.from(messages[index] ?? Buffer.alloc(0));
  const place = Math.floor(inside * copy.length);
  const others = (...instead: readonly Buffer[]) => [
    ...messages.slice(0, index),
    ...instead,
    ...messages.slice(index + 1),
  ];
  switch (how) {
    case 'flip':
      copy[place] = byte;
      return others(copy);
    case 'type':
      copy[0] = byte;
      return others(copy);
    case 'length':
      if (copy.length >= 5) copy.writeInt32BE(size, 1);
      return others(copy);
    case 'zeros':
      return others(copy.fill(0, place, Math.min(copy.length, place + Math.abs(size))));
    case 'cut':
      return others(copy.subarray(0, place));
    case 'insert':
      return others(
        copy.subarray(0, place),
        Buffer.alloc(1 + (Math.abs(size) % 40), byte),
        copy.subarray(place),
      );
    case 'drop':
      return others();
    case 'twice':
      return others(copy, copy);
    case 'swap':
      return others(messages[index + 1] ?? copy, copy);
  }
}

function spoil(answer: Buffer, all: readonly Change[]): Buffer {
  return Buffer.concat(all.reduce(changed, [...messagesIn(answer)]));
}

/** Hears one answer of a conversation otherwise than it was, in pieces of a size. Gives what was passed on, and what ended it. */
function hear(
  exchanges: readonly Exchange[],
  spoilt: number,
  bytes: Buffer,
  pieceSize: number,
): { readonly passed: Buffer; readonly end: string | null } {
  const conversation = new Conversation();
  const reader = new AnswerReader(conversation, { mostAnswerBytes, mayAskInClear: true });
  const passed: Buffer[] = [];
  conversation.greet();
  try {
    for (const [index, { sent, answer }] of exchanges.entries()) {
      if (index > 0) for (const [letter = 0] of messagesIn(sent)) conversation.ask(letter);
      const said = index === spoilt ? bytes : answer;
      for (let at = 0; at < said.length; at += pieceSize) {
        const messages = reader.read(said.subarray(at, at + pieceSize));
        if (messages !== undefined) passed.push(messages);
      }
    }
    return { passed: Buffer.concat(passed), end: null };
  } catch (error) {
    if (
      !(error instanceof ProtocolBreach) &&
      !/^The answer is longer/.test((error as Error).message)
    )
      throw error;
    return { passed: Buffer.concat(passed), end: (error as Error).message };
  }
}

fuzz(
  'a real conversation is heard to its end, and one that is spoilt as far as it fits, however it arrives',
  fc.record({ where: fc.nat(), changes, pieceSize: fc.integer({ min: 1, max: 5_000 }) }),
  async ({ where, changes: all, pieceSize }) => {
    const exchanges = await recorded;
    expect(hear(exchanges, -1, Buffer.alloc(0), pieceSize).end).toBeNull();
    const spoilt = where % exchanges.length;
    const bytes = spoil(exchanges[spoilt]?.answer ?? Buffer.alloc(0), all);
    const inPieces = hear(exchanges, spoilt, bytes, pieceSize);
    const atOnce = hear(exchanges, spoilt, bytes, Number.MAX_SAFE_INTEGER);
    expect(inPieces.end).toBe(atOnce.end);
    const heard = Buffer.concat(
      exchanges.map(({ answer }, index) => (index === spoilt ? bytes : answer)),
    );
    expect(heard.subarray(0, inPieces.passed.length).equals(inPieces.passed)).toBe(true);
    if (inPieces.end === null) return;
    expect(inPieces.end).toMatch(/^The (?:server sent|answer is longer)/);
    expect(inPieces.passed.length).toBeGreaterThanOrEqual(atOnce.passed.length);
  },
  2_000,
);

fuzz(
  'whatever becomes of a recorded conversation on its way, Poolguard gives a result or a sentence',
  fc.record({ where: fc.nat(), changes }),
  async ({ where, changes: all }) => {
    const exchanges = await recorded;
    // Without SCRAM, which no recording can answer: from AuthenticationOk on.
    const login = exchanges.findIndex(
      ({ answer }) => answer.at(0) === 0x52 && answer.includes('server_version'),
    );
    const answers = exchanges.slice(login).map(({ answer }, index) => {
      const messages = messagesIn(answer);
      return Buffer.concat(
        index === 0
          ? messages.slice(messages.findIndex((each) => each.length === 9 && each[8] === 0))
          : messages,
      );
    });
    const spoilt = where % answers.length;
    const replay = await startReplay(
      answers.map((answer, index) => (index === spoilt ? spoil(answer, all) : answer)),
    );
    try {
      for (const sentence of await talk(through(replay.port)))
        expect(sentence).toMatch(/^[A-Z\d].*\.$/s);
    } finally {
      await replay.stop();
    }
  },
  300,
);
