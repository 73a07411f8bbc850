import { expect, test } from 'vitest';
import { ServerLife, type Startable } from '../../../../src/editor/findings/server-life.ts';
import { overlap, type Step } from '../../../support/overlap.ts';

/** A server of which one can run at a time, as the client library has it: who starts it while it ends is refused. */
class FakeClient implements Startable {
  readonly #step: Step;
  state: 'stopped' | 'starting' | 'running' | 'stopping' = 'stopped';

  constructor(step: Step) {
    this.#step = step;
  }

  isRunning(): boolean {
    return this.state === 'running';
  }

  async start(): Promise<void> {
    if (this.state !== 'stopped') throw new Error(`It is ${this.state}.`);
    this.state = 'starting';
    await this.#step('start');
    if (this.#now() !== 'starting') throw new Error('The server died.');
    this.state = 'running';
  }

  async stop(): Promise<void> {
    this.state = 'stopping';
    await this.#step('stop');
    this.state = 'stopped';
  }

  /** Another part of the program may have changed it since. */
  #now(): string {
    return this.state;
  }
}

function createLife(step: Step) {
  const client = new FakeClient(step);
  const states: string[] = [];
  const failures: unknown[] = [];
  let loads = 0;
  let sleepers = 0;
  const life = new ServerLife<FakeClient>({
    load: async () => {
      loads += 1;
      await step('load');
      return client;
    },
    now: () => 0,
    sleep: async (_milliseconds, signal) => {
      sleepers += 1;
      const woken = new Promise((resolve) => signal.addEventListener('abort', resolve));
      await Promise.race([step('rest'), woken]);
      sleepers -= 1;
    },
    onState: (state) => states.push(state),
    onFailure: (failure) => failures.push(failure),
    onDeath: () => undefined,
  });
  const die = (): void => {
    if (client.state !== 'starting' && client.state !== 'running') return;
    client.state = 'stopped';
    life.died();
  };
  return { life, client, states, failures, die, loads: () => loads, sleepers: () => sleepers };
}

test('whoever needs the server starts it once, and a restart ends the one that runs', async () => {
  const { life, client, states, loads } = createLife(() => Promise.resolve());
  await Promise.all([life.start(), life.start()]);
  expect([client.state, loads()]).toEqual(['running', 1]);
  await life.restart();
  expect([client.state, loads()]).toEqual(['running', 1]);
  expect(states).toEqual(['starting', 'starting']);
  await life.end();
  expect(client.state).toBe('stopped');
});

test('a start that failed is told once, and not tried again before somebody restarts it', async () => {
  let isBroken = true;
  const { life, client, states, failures } = createLife((what) =>
    isBroken && what === 'load' ? Promise.reject(new Error('No bundle.')) : Promise.resolve(),
  );
  await life.start();
  await life.start();
  expect(failures).toHaveLength(1);
  expect(states).toEqual(['starting', 'stopped']);
  isBroken = false;
  await life.restart();
  expect(client.state).toBe('running');
});

test('a server that dies at each start is left in the end, and waits for a restart', async () => {
  const { life, client, states, failures, die } = createLife((what) => {
    if (what === 'start' && isHopeless) die();
    return Promise.resolve();
  });
  let isHopeless = true;
  await life.start();
  await expect.poll(() => states.at(-1)).toBe('stopped');
  await life.start();
  expect([client.state, failures]).toEqual(['stopped', []]);
  expect(states.filter((state) => state === 'starting').length).toBeGreaterThan(5);
  isHopeless = false;
  await life.restart();
  expect(client.state).toBe('running');
});

const acts: Readonly<Record<string, (made: ReturnType<typeof createLife>) => unknown>> = {
  start: ({ life }) => void life.start(),
  restart: ({ life }) => void life.restart(),
  death: ({ die }) => die(),
};

test('whatever overlaps, no start meets one that ends, and the end leaves nothing', () =>
  overlap({
    make: createLife,
    acts,
    look: async ({ life, client, sleepers, failures, loads }, scheduler) => {
      await scheduler.waitFor(life.end());
      expect([client.state, sleepers()]).toEqual(['stopped', 0]);
      expect(failures).toEqual([]);
      expect(loads()).toBeLessThanOrEqual(1);
    },
  }));
