import { setTimeout as wait } from 'node:timers/promises';
import type { LineFault } from '../../support/relay.ts';
import type { Fault, Scene } from './trial.ts';

/** Troubles the line for a while of between half a second and `longestMs`. */
function onTheLine(
  name: string,
  faultFor: (random: Scene['random']) => LineFault,
  longestMs = 2500,
): Fault {
  return {
    name,
    strike: async ({ arena, random }) => {
      arena.relay.inflict(faultFor(random));
      await wait(500 + random() * (longestMs - 500));
      arena.relay.inflict({ kind: 'none' });
    },
  };
}

/** What networks do. */
export const lineFaults: readonly Fault[] = [
  onTheLine('latency and jitter', (random) => ({
    kind: 'late',
    delayMs: 20 + 180 * random(),
    jitterMs: 200,
    random,
  })),
  onTheLine('a narrow line', (random) => ({
    kind: 'narrow',
    bytesPerSecond: 500 + 4000 * random(),
  })),
  onTheLine('half-open sockets', () => ({ kind: 'silent' })),
  onTheLine('half-open sockets for long', () => ({ kind: 'silent' }), 9000),
  onTheLine('nothing is read', () => ({ kind: 'unread' })),
  onTheLine('resets', () => ({ kind: 'reset' })),
  onTheLine('cut in the middle of a message', (random) => ({
    kind: 'cut',
    afterBytes: Math.floor(600 * random()),
  })),
  onTheLine('a byte is another one', (random) => ({
    kind: 'corrupt',
    atByte: Math.floor(600 * random()),
  })),
  {
    name: 'nobody listens',
    strike: async ({ arena, random }) => {
      await arena.relay.stop();
      await wait(500 + 2000 * random());
      await arena.relay.start();
    },
  },
  {
    name: 'frozen, and then as if nothing had been',
    strike: async ({ arena, random }) => {
      arena.relay.freeze();
      await wait(500 + 6000 * random());
      arena.relay.thaw();
    },
  },
];
