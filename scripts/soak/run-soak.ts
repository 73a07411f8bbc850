import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { residentMb } from '../bench/editor/resident-memory.ts';
import { startEmbeddedServer } from '../embedded-server.ts';
import { createOrdinaryDatabase } from '../ordinary-database.ts';
import { createHeapNotes, type HeapNotes } from './heap-notes.ts';
import type { Series } from './judge.ts';
import { startProbeLoop } from './probe-loop.ts';
import { createRecording, type Recording } from './record.ts';
import { startRole } from './role-process.ts';
import { countFiles, descriptorsOf, processesWith } from './seen-processes.ts';
import { openSessionCounter, type SessionCounter } from './server-sessions.ts';
import { startTypingLoop } from './typing-loop.ts';

export interface Soak {
  readonly seconds: number;
  /** Ends the soak early; what was seen until then counts. */
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

export interface Soaked {
  readonly series: readonly Series[];
  /** Seconds from the first sample to the last. */
  readonly seconds: number;
  /** How much each part has done, by its name. */
  readonly done: Readonly<Record<string, number>>;
  /** Why it ended before its time; undefined when it did not, or was stopped. */
  readonly failure?: string;
}

const preload = fileURLToPath(new URL('../scripts/soak/heap-note.mjs', import.meta.url));

/** A look at everything: often enough for some hundred looks, and so seldom that looking is no load. */
function lookEveryMs(seconds: number): number {
  return Math.min(10_000, Math.max(1_000, (1000 * seconds) / 360));
}

/** Runs everything at once beside a throw-away server, and looks at it until the time is over. Everything it started is gone when it returns. */
export async function runSoak({ seconds, signal, progress }: Soak): Promise<Soaked> {
  const scratch = mkdtempSync(join(tmpdir(), 'poolguard-soak-'));
  await using server = await stoppable(startEmbeddedServer({ maxConnections: 60 }));
  await using _scratch = {
    [Symbol.asyncDispose]: () => Promise.resolve(rmSync(scratch, { recursive: true, force: true })),
  };
  const temporary = folderIn(scratch, 'temporary');
  // Whatever is made below this process lays its temporary files here, where they are counted.
  for (const name of ['TMPDIR', 'TMP', 'TEMP', 'XDG_RUNTIME_DIR']) process.env[name] = temporary;
  const notes = createHeapNotes(join(scratch, 'notes'), preload, lookEveryMs(seconds));
  const failed = new AbortController();
  const failures: string[] = [];
  const onFailure = (sentence: string) => {
    failures.push(sentence);
    failed.abort();
  };
  const url = await createOrdinaryDatabase(server.url(), 'soak');
  const start = (name: string) => ({
    url,
    folder: folderIn(scratch, name),
    lookEveryMs: seconds > 300 ? 1_000 : 250,
    execArgv: notes.execArgv,
  });
  await using counter = await openSessionCounter(server.url());
  await using host = await startRole('panel and listener', start('host'), { notes, onFailure });
  await using lint = await startRole('linting loop', start('lint'), { notes, onFailure });
  await using typing = await startTypingLoop(folderIn(scratch, 'typing'), notes, onFailure);
  const watched: readonly Watched[] = [
    {
      name: 'panel and listener',
      processId: host.processId,
      done: host.count,
      warmAfter: warmAfter.looks,
    },
    {
      name: 'application under watch',
      processId: host.children['application under watch'] ?? Number.NaN,
      done: host.count,
      warmAfter: warmAfter.looks,
    },
    {
      name: 'linting loop',
      processId: lint.processId,
      done: lint.count,
      warmAfter: warmAfter.files,
    },
    {
      name: 'language server',
      processId: typing.processId,
      done: typing.count,
      warmAfter: warmAfter.documents,
    },
  ];
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  const recording = createRecording(elapsed);
  const expected = new Set([process.pid, ...watched.map(({ processId }) => processId)]);
  await using probes = startProbeLoop({
    url,
    notes,
    onFailure,
    onProbed: () => lookForRemains({ recording, counter, notes, expected }),
  });
  const done = () => ({
    'looks of the panel': host.count(),
    'files linted in a loop': lint.count(),
    'documents opened, typed into and closed': typing.count(),
    probes: probes.count(),
  });
  const isOver = () => signal.aborted || failed.signal.aborted || elapsed() >= seconds;
  const ending = AbortSignal.any([signal, failed.signal]);
  while (!isOver()) {
    await look({ recording, counter, notes, watched, temporary });
    progress(
      `${Math.floor(elapsed())} of ${seconds} s: ${Object.entries(done())
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')}`,
    );
    await pause(
      Math.min(lookEveryMs(seconds), Math.max(0, 1000 * (seconds - elapsed()))),
      undefined,
      { signal: ending },
    ).catch(() => undefined);
  }
  return {
    series: withoutUnworked(recording.series(), watched),
    seconds: elapsed(),
    done: done(),
    ...(failures[0] !== undefined && { failure: failures[0] }),
  };
}

async function stoppable<Server extends { stop(): Promise<void> }>(
  starting: Promise<Server>,
): Promise<Server & AsyncDisposable> {
  const server = await starting;
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.stop() });
}

function folderIn(scratch: string, name: string): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  return folder;
}

/** What has to be done before a process has seen all of its work, whose traces it may keep: on a slow machine that takes its time. */
const warmAfter = { looks: 20, files: 30, documents: 30 };

interface Watched {
  readonly name: string;
  readonly processId: number;
  /** How much it has done, and after how much of that it is warm. */
  readonly done: () => number;
  readonly warmAfter: number;
}

/** A part that did less since it was warm than until then has done too little for its memory to be judged. */
function withoutUnworked(
  series: readonly Series[],
  watched: readonly Watched[],
): readonly Series[] {
  const unworked = new Set(
    watched
      .filter(({ done, warmAfter }) => done() < 2 * warmAfter)
      .flatMap(({ name }) => memoryOf(name)),
  );
  return series.map((each) => (unworked.has(each.name) ? { ...each, points: [] } : each));
}

/** The names of the two series. */
function memoryOf(name: string): readonly [heap: string, resident: string] {
  return [`heap, ${name}`, `resident memory, ${name}`];
}

interface Looking {
  readonly recording: Recording;
  readonly counter: SessionCounter;
  readonly notes: HeapNotes;
}

async function look({
  recording,
  counter,
  notes,
  watched,
  temporary,
}: Looking & { readonly watched: readonly Watched[]; readonly temporary: string }): Promise<void> {
  for (const { name, processId, done, warmAfter } of watched) {
    const isWarm = done() >= warmAfter;
    const [heap, resident] = memoryOf(name);
    recording.note(heap, 'heap', isWarm ? await notes.heapOf(processId) : Number.NaN);
    recording.note(resident, 'resident', isWarm ? await residentMb(processId) : Number.NaN);
    recording.note(`file descriptors, ${name}`, 'count', await descriptorsOf(processId));
  }
  const sessions = await counter.count();
  for (const name of ['poolguard', 'soak-app'])
    recording.note(`sessions, ${name}`, 'sessions', sessions.get(name) ?? 0);
  recording.note('temporary files', 'count', await countFiles(temporary));
}

/** A session that was closed a moment ago may still be seen: the server ends it when it hears of that, on a busy machine later. */
const patienceMs = 30_000;

/** What a probe that has ended left behind. */
async function lookForRemains({
  recording,
  counter,
  notes,
  expected,
}: Looking & { readonly expected: ReadonlySet<number> }): Promise<void> {
  const [[variable, value] = ['', '']] = Object.entries(notes.variables);
  const remains = async () => ({
    sessions: (await counter.count()).get('poolguard-probe') ?? 0,
    processes:
      (await processesWith(variable, value))?.filter((id) => !expected.has(id)).length ??
      Number.NaN,
  });
  const until = performance.now() + patienceMs;
  let found = await remains();
  while ((found.sessions > 0 || found.processes > 0) && performance.now() < until) {
    await pause(100);
    found = await remains();
  }
  recording.note('sessions left by probes', 'left', found.sessions);
  recording.note('processes left by probes', 'left', found.processes);
}
