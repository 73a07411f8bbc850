import { expect, test } from 'vitest';
import {
  ProbeControl,
  type ProbeControlOptions,
} from '../../../../src/editor/probe/probe-control.ts';
import { sizeDefaults, type SizeRequest } from '../../../../src/probe/request.ts';
import type { ProbeEvent, ProbePlan, SizeResult } from '../../../../src/probe/result.ts';
import { overlap, type Step } from '../../../support/overlap.ts';
import { foundTwo } from '../../../support/probe-result.ts';

const target: SizeRequest['target'] = {
  host: 'localhost',
  port: 5432,
  database: 'shop',
  user: 'app',
  tls: 'off',
  tlsChosenBy: 'default',
  tlsFiles: { ca: null, cert: null, key: null },
};
const request: SizeRequest = { ...sizeDefaults, target, secret: null };
const plan: ProbePlan = {
  experiment: 'size',
  place: target,
  role: { name: 'app', power: null },
  free: 90,
  statements: ['SELECT 1'],
  calls: [],
  sizes: [1, 2],
  steps: [],
  connections: 3,
  expectedMs: 9000,
  cap: { size: 2, because: 'as requested' },
  notes: [],
};

/** A dialog that waits for an answer. */
function createQuestion() {
  const asked: ProbePlan[] = [];
  let answer: (isAgreed: boolean) => void = () => undefined;
  return {
    asked,
    answer: (isAgreed: boolean) => {
      answer(isAgreed);
    },
    confirm: (_request: SizeRequest, shown: ProbePlan) => {
      asked.push(shown);
      return new Promise<boolean>((resolve) => (answer = resolve));
    },
  };
}

/** A process that has a plan at once, and does what it plans when told so. Its closing takes until `close()`. */
function createProcess(
  plans: readonly ProbePlan[] = [plan],
  options: Partial<ProbeControlOptions> = {},
) {
  const log: string[] = [];
  const question = createQuestion();
  let close: () => void = () => undefined;
  const run: ProbeControlOptions['run'] = async (_request, { signal, onEvent, confirm }) => {
    const here =
      plans[Math.min(log.filter((each) => each === 'started').length, plans.length - 1)] ?? plan;
    log.push('started');
    const aborted = new Promise<false>((resolve) =>
      signal.addEventListener('abort', () => resolve(false)),
    );
    const agreed = await Promise.race([confirm?.(here, signal) ?? Promise.resolve(true), aborted]);
    log.push(agreed ? 'measured' : 'stopped');
    if (agreed) onEvent({ kind: 'progress', fraction: 0.5, doing: 'Round 1', sizes: [] });
    const isWhole =
      agreed &&
      (await Promise.race([
        new Promise<true>((resolve) => (close = () => resolve(true))),
        aborted,
      ]));
    const last: ProbeEvent<SizeResult> = isWhole
      ? { kind: 'result', result: foundTwo }
      : { kind: 'cancelled' };
    onEvent(last);
    return last;
  };
  const control: ProbeControl = new ProbeControl({
    run,
    processPath: '',
    onResult: () => undefined,
    onChange: () => {
      states.push(control.state.kind);
    },
    onError: () => undefined,
    confirm: question.confirm,
    askForRole: () => Promise.resolve(false),
    askForOwners: () => Promise.resolve(false),
    ...options,
  });
  const states: string[] = [];
  const until = async (kind: string): Promise<void> => {
    await expect.poll(() => control.state.kind, { interval: 1 }).toBe(kind);
  };
  return { control, log, states, until, question, close: () => close() };
}

test('nothing is measured before the plan is agreed to', async () => {
  const { control, log, until, question, close } = createProcess();
  const ended = control.start(request);
  await until('planned');
  expect(question.asked).toEqual([plan]);
  expect(log).toEqual(['started']);
  question.answer(true);
  await expect.poll(() => log).toEqual(['started', 'measured']);
  close();
  await ended;
  expect(control.state).toEqual({ kind: 'result', result: foundTwo });
});

test('a plan that is declined brings back what was there', async () => {
  const { control, log, until, close } = createProcess();
  const first = control.start(request, { isAgreed: true });
  await expect.poll(() => log).toContain('measured');
  close();
  await first;
  const second = control.start(request);
  await until('planned');
  const cancelled = control.cancel();
  expect(control.state.kind).toBe('result');
  await Promise.all([second, cancelled]);
  expect(control.state).toEqual({ kind: 'result', result: foundTwo });
  expect(log).toEqual(['started', 'measured', 'started', 'stopped']);
});

test('a running probe says at once that it stops', async () => {
  const { control, until } = createProcess();
  const ended = control.start(request, { isAgreed: true });
  await until('running');
  const cancelled = control.cancel();
  expect(control.state.kind).toBe('cancelling');
  await Promise.all([ended, cancelled]);
  expect(control.state.kind).toBe('cancelled');
});

test('a probe is ended with what is known as soon as it measures, and not before', async () => {
  const measured: ProbeEvent<SizeResult> = {
    kind: 'progress',
    fraction: 0.5,
    doing: 'Round 3',
    sizes: foundTwo.sizes,
  };
  let measure: () => void = () => undefined;
  const { control, until } = createProcess([plan], {
    run: async (_request, { enough, onEvent }) => {
      await new Promise<void>((resolve) => (measure = resolve));
      onEvent(measured);
      await new Promise((resolve) => enough?.addEventListener('abort', resolve));
      const last: ProbeEvent<SizeResult> = { kind: 'result', result: foundTwo };
      onEvent(last);
      return last;
    },
  });
  const ended = control.start(request, { isAgreed: true });
  await until('running');
  control.conclude();
  measure();
  await expect.poll(() => control.state).toMatchObject({ fraction: 0.5 });
  control.conclude();
  await ended;
  expect(control.state).toEqual({ kind: 'result', result: foundTwo });
});

test('a plan that nobody answers keeps no process; a yes that comes later runs the same plan without another question', async () => {
  const { control, log, until, question, close } = createProcess([plan], { patienceMs: 1 });
  const ended = control.start(request);
  await expect.poll(() => log).toEqual(['started', 'stopped']);
  expect(control.state.kind).toBe('planned');
  question.answer(true);
  await expect.poll(() => log).toEqual(['started', 'stopped', 'started', 'measured']);
  await until('running');
  close();
  await ended;
  expect(control.state.kind).toBe('result');
  expect(question.asked).toEqual([plan]);
});

test('when the plan has become another one meanwhile, it is asked about again', async () => {
  const { control, log, question } = createProcess([plan, { ...plan, connections: 9 }], {
    patienceMs: 1,
  });
  const ended = control.start(request);
  await expect.poll(() => log).toEqual(['started', 'stopped']);
  question.answer(true);
  await expect.poll(() => question.asked.map(({ connections }) => connections)).toEqual([3, 9]);
  expect(control.state.kind).toBe('planned');
  await control.cancel();
  await ended;
  expect(log).not.toContain('measured');
  expect(control.state.kind).toBe('idle');
});

test('after a no nothing has run, and a yes to a plan that was withdrawn runs nothing', async () => {
  const { control, log, until, question } = createProcess();
  const declined = control.start(request);
  await until('planned');
  question.answer(false);
  await declined;
  expect(log).toEqual(['started', 'stopped']);
  expect(control.state.kind).toBe('idle');
  const withdrawn = control.start(request);
  await until('planned');
  await control.cancel();
  await withdrawn;
  question.answer(true);
  await Promise.resolve();
  expect(log).toEqual(['started', 'stopped', 'started', 'stopped']);
  expect(control.state.kind).toBe('idle');
});

test('a role with more rights than it takes is asked about by its name: after a no the reason stays, after a yes that role probes', async () => {
  const refusedRole = {
    name: 'postgres',
    power: 'superuser',
    sql: ['CREATE ROLE poolguard'],
  } as const;
  const allowed: (string | null)[] = [];
  const failed: ProbeEvent<SizeResult> = {
    kind: 'failed',
    sentence: 'A probe does not run as that.',
    refusedRole,
  };
  const run: ProbeControlOptions['run'] = ({ allowRole }, { onEvent }) => {
    allowed.push(allowRole);
    const last =
      allowRole === 'postgres' ? ({ kind: 'result', result: foundTwo } as const) : failed;
    onEvent(last);
    return Promise.resolve(last);
  };
  let answer: (isAllowed: boolean) => void = () => undefined;
  const { control, states } = createProcess([plan], {
    run,
    askForRole: ({ name }) =>
      new Promise((resolve) => {
        expect(name).toBe('postgres');
        answer = resolve;
      }),
  });
  for (const isAllowed of [false, true]) {
    const ended = control.start(request, { isAgreed: true });
    await expect.poll(() => allowed.length).toBe(1 + Number(isAllowed));
    answer(isAllowed);
    await ended;
    expect(control.state).toEqual(isAllowed ? { kind: 'result', result: foundTwo } : failed);
  }
  expect(allowed).toEqual([null, null, 'postgres']);
  expect(states.filter((kind) => kind === 'failed').length).toBeGreaterThan(0);
  const cancelled = control.start(request);
  await expect.poll(() => allowed.length).toBe(4);
  await control.cancel();
  await cancelled;
  expect(control.state.kind).toBe('cancelled');
});

test('an owner whose code statements may run is asked about: after a no the reason stays, after a yes it is trusted', async () => {
  const failed: ProbeEvent<SizeResult> = {
    kind: 'failed',
    sentence: 'Statements may run code that app owns.',
    refusedOwners: [{ name: 'app', owns: '1 view' }],
  };
  const trusted: (readonly string[])[] = [];
  let isTrusted = false;
  const { control } = createProcess([plan], {
    run: ({ trustOwners }, { onEvent }) => {
      trusted.push(trustOwners);
      const last = trustOwners.includes('app')
        ? ({ kind: 'result', result: foundTwo } as const)
        : failed;
      onEvent(last);
      return Promise.resolve(last);
    },
    askForOwners: (_, owners) => {
      expect(owners).toEqual([{ name: 'app', owns: '1 view' }]);
      return Promise.resolve(isTrusted);
    },
  });
  await control.start({ ...request, trustOwners: ['other'] }, { isAgreed: true });
  expect(control.state).toEqual(failed);
  isTrusted = true;
  await control.start({ ...request, trustOwners: ['other'] }, { isAgreed: true });
  expect(control.state).toEqual({ kind: 'result', result: foundTwo });
  expect(trusted).toEqual([['other'], ['other'], ['other', 'app']]);
});

test('of two probes that overlap the last one is left, and a cancel leaves none', async () => {
  const { control, log, until, close } = createProcess();
  const first = control.start(request);
  await until('planned');
  const second = control.start(request, { isAgreed: true });
  await expect.poll(() => log).toEqual(['started', 'stopped', 'started', 'measured']);
  close();
  await Promise.all([first, second]);
  expect(control.state.kind).toBe('result');
  const third = control.start(request);
  const cancelled = control.cancel();
  await Promise.all([third, cancelled]);
  expect(control.state.kind).toBe('cancelled');
  expect(log).toHaveLength(4);
});

test('an error of our own is one sentence for the page, and its stack for the log', async () => {
  const stacks: string[] = [];
  const { control } = createProcess([plan], {
    onError: (stack) => stacks.push(stack),
    run: (_request, { onEvent }) => {
      const last = { kind: 'failed', sentence: 'It failed.', stack: 'TypeError\n at x' } as const;
      onEvent(last);
      return Promise.resolve(last);
    },
  });
  await control.start(request);
  expect(control.state).toEqual({ kind: 'failed', sentence: 'It failed.' });
  expect(stacks).toEqual(['TypeError\n at x']);
});

/** Processes that plan, measure and close when the schedule says so; all but the last are told to stop. */
function createSlowProbes(step: Step) {
  const counts = { running: 0, most: 0 };
  const question = createQuestion();
  const control = new ProbeControl({
    run: async (_request, { signal, onEvent, confirm }) => {
      counts.running += 1;
      counts.most = Math.max(counts.most, counts.running);
      const aborted = new Promise<false>((resolve) => {
        if (signal.aborted) resolve(false);
        signal.addEventListener('abort', () => resolve(false));
      });
      const plans = step('plan').then(() => confirm?.(plan, signal) ?? true);
      const isAgreed = await Promise.race([plans, aborted]);
      const isWhole = isAgreed && (await Promise.race([step('measure'), aborted])) !== false;
      await step('close');
      const last: ProbeEvent<SizeResult> = isWhole
        ? { kind: 'result', result: foundTwo }
        : { kind: 'cancelled' };
      onEvent(last);
      counts.running -= 1;
      return last;
    },
    processPath: '',
    onResult: () => undefined,
    onChange: () => undefined,
    onError: () => undefined,
    confirm: question.confirm,
    askForRole: () => Promise.resolve(false),
    askForOwners: () => Promise.resolve(false),
  });
  return { control, question, counts };
}

test('whatever overlaps, at most one probe runs, and Cancel leaves none', () =>
  overlap({
    make: createSlowProbes,
    acts: {
      start: ({ control }) => void control.start(request),
      'start what is agreed': ({ control }) => void control.start(request, { isAgreed: true }),
      agree: ({ question }) => question.answer(true),
      decline: ({ question }) => question.answer(false),
      cancel: ({ control }) => void control.cancel(),
      clear: ({ control }) => void control.clear(),
    },
    look: async ({ control, counts }, scheduler) => {
      await scheduler.waitFor(control.start(request, { isAgreed: true }));
      expect([control.state.kind, counts.running]).toEqual(['result', 0]);
      void control.start(request, { isAgreed: true });
      await scheduler.waitFor(control.cancel());
      expect(counts).toMatchObject({ running: 0 });
      expect(counts.most).toBeLessThanOrEqual(1);
    },
  }));
