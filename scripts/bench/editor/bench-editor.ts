import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { max, median, quantile } from 'simple-statistics';
import type { Bench } from '../bench.ts';
import { createInspector } from '../../../src/lint/linter.ts';
import { poolguard } from '../../../src/lint/analyser.ts';
import { spreadOf, type Row } from '../figures.ts';
import { countLines, generateService } from '../generated-service.ts';
import { profileHere, profileRows, type TimeByKind } from '../profile.ts';
import { writeNeighbours, writeWorkspace } from './generated-workspace.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { highestWhile, residentMb } from './resident-memory.ts';
import { startServerClient, type ServerClient } from './server-client.ts';
import { typeBetween, type Keystroke } from './typing.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What people wait for in an editor, measured on the server that the extension ships. */
export async function benchEditor(bench: Bench): Promise<readonly Row[]> {
  return [
    ...(await coldStart(bench)),
    ...(await keystrokes(bench)),
    ...(await workspaceMemory(bench)),
    vsixSize(bench),
  ];
}

const coldStarts = 10;

async function coldStart(bench: Bench): Promise<readonly Row[]> {
  const text = generateService(500, 15);
  const { folder, uri } = writeProject(bench, text);
  const times: number[] = [];
  for (let start = 0; start < Math.max(3, coldStarts * bench.scale); start++) {
    bench.progress(`cold start ${start + 1}`);
    const began = performance.now();
    await using client = await startServerClient(folder);
    await client.open(uri, text);
    await client.diagnostics(uri);
    times.push((performance.now() - began) / 1000);
  }
  const method =
    'From starting a new process of the shipped server to its answer about the open file, the handshake included; the system has read the bundle before.';
  return [
    {
      group: 'cold start',
      name: `first diagnostics of ${countLines(text)} lines`,
      unit: 's',
      value: spreadOf(times),
      goal: 1,
      note: `${times.length} starts`,
      method,
    },
  ];
}

const keystrokesARound = 120;
const warmUp = 60;

async function keystrokes(bench: Bench): Promise<readonly Row[]> {
  const rounds: Typed[] = [];
  const text = generateService(2000, 60);
  for (let round = 0; round < bench.rounds; round++) {
    bench.progress(`keystrokes, round ${round + 1} of ${bench.rounds}`);
    rounds.push(await typeInto(text, bench));
  }
  const name = `${countLines(text)} lines, 60 checkouts`;
  const method =
    'From sending the change to the answer of the pull that follows, over IPC, without the editor’s own delay; characters of statements are typed at places all over the file, each as soon as the last is answered, after a warm-up. Imported files are on disk.';
  const row = (which: string, pick: (typed: Typed) => number, goal: number | null): Row => ({
    group: 'keystroke',
    name: `${which}, ${name}`,
    unit: 'ms',
    value: spreadOf(rounds.map(pick)),
    goal,
    note: `${rounds[0]?.times.length ?? 0} keystrokes in each of ${rounds.length} servers`,
    method,
  });
  return [
    row('p50', ({ times }) => median(times), null),
    row('p95', ({ times }) => quantile(times, 0.95), 50),
    row('worst', ({ times }) => max(times), null),
    row('CPU, mean', ({ cpu }) => cpu, null),
    ...profileRows('keystroke', 'CPU', await profileKeystrokes(text, bench)),
  ];
}

/** The shipped server is one minified line, so the same work is profiled here, where its modules can be told apart. */
function profileKeystrokes(text: string, bench: Bench): Promise<TimeByKind> {
  const { uri } = writeProject(bench, text);
  const path = fileURLToPath(uri);
  const inspect = createInspector(poolguard, {});
  const versions = versionsOf(text, warmUp + Math.round(keystrokesARound * bench.scale));
  for (const version of versions.slice(0, warmUp)) inspect({ path, text: version });
  return profileHere(() => {
    for (const version of versions.slice(warmUp)) inspect({ path, text: version });
  });
}

/** The text after each keystroke. */
function versionsOf(text: string, count: number): readonly string[] {
  const lines = text.split('\n');
  return typeBetween(text, count)
    .slice(0, count)
    .map(({ at: { line, character }, text: typed }) => {
      const before = lines[line] ?? '';
      const changed = `${before.slice(0, character)}${typed}${before.slice(character)}`;
      lines.splice(line, 1, ...changed.split('\n'));
      return lines.join('\n');
    });
}

interface Typed {
  /** From each keystroke to its answer, in ms. */
  readonly times: number[];
  /** CPU time of all threads of the server for one, in ms. */
  readonly cpu: number;
}

async function typeInto(text: string, bench: Bench): Promise<Typed> {
  const { folder, uri } = writeProject(bench, text);
  await using client = await startServerClient(folder);
  await client.open(uri, text);
  await client.diagnostics(uri);
  const counted = Math.round(keystrokesARound * bench.scale);
  const keystrokes = [
    ...typeBetween(text, warmUp + counted)
      .slice(0, warmUp + counted)
      .entries(),
  ];
  for (const [index, keystroke] of keystrokes.slice(0, warmUp))
    await answerTime(client, uri, index + 2, keystroke);
  const before = await cpuTimeMs(client.processId);
  const times: number[] = [];
  for (const [index, keystroke] of keystrokes.slice(warmUp))
    times.push(await answerTime(client, uri, index + 2, keystroke));
  return { times, cpu: ((await cpuTimeMs(client.processId)) - before) / times.length };
}

async function answerTime(
  client: ServerClient,
  uri: string,
  version: number,
  { at, text }: Keystroke,
): Promise<number> {
  const began = performance.now();
  await client.insert(uri, version, at, text);
  await client.diagnostics(uri);
  return performance.now() - began;
}

function writeProject(
  { scratch }: Bench,
  text: string,
): { readonly folder: string; readonly uri: string } {
  const folder = mkdtempSync(join(scratch, 'project-'));
  writeNeighbours(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'bench', type: 'module', dependencies: { pg: '^8.0.0' } }),
  );
  writeFileSync(join(folder, 'service.ts'), text);
  return { folder, uri: pathToFileURL(join(folder, 'service.ts')).href };
}

const workspaceFiles = 2000;
const restMs = 10_000;

async function workspaceMemory(bench: Bench): Promise<readonly Row[]> {
  const folder = join(bench.scratch, 'workspace');
  const files = workspaceFiles * bench.scale;
  mkdirSync(folder, { recursive: true });
  writeWorkspace(folder, files);
  bench.progress(`memory: a workspace of ${files} files`);
  const text = generateService(500, 15);
  const uri = pathToFileURL(join(folder, 'src/part-0/open.ts')).href;
  await using client = await startServerClient(folder);
  await client.open(uri, text);
  await client.diagnostics(uri);
  const before = await residentMb(client.processId);
  const began = performance.now();
  const { result, highest } = await highestWhile(client.processId, client.checkWorkspace());
  const seconds = (performance.now() - began) / 1000;
  const after = await residentMb(client.processId);
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const rested = await residentMb(client.processId);
  const method =
    'A check of a generated workspace of which half the files check clients out, as the command “Check Workspace” asks for it, with one file open; memory is that of the server’s process, resident, its threads included, sampled 50 times a second.';
  const row = (name: string, value: number, goal: number | null, unit: 'MB' | 's' = 'MB'): Row => ({
    group: 'workspace check',
    name,
    unit,
    value: spreadOf([value]),
    goal,
    note: `${files} files, ${result} findings`,
    method,
  });
  return [
    row('time', seconds, 12, 's'),
    row('memory before', before, null),
    row('highest memory', highest, null),
    row('memory right after', after, 160),
    row(`memory ${restMs / 1000} s later`, rested, 160),
  ];
}

function vsixSize(bench: Bench): Row {
  bench.progress('packing the extension');
  const path = join(bench.scratch, 'poolguard.vsix');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(root, 'scripts/published/main.ts'), 'vsix', path],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The extension could not be packed: ${stderr.trim()}`);
  return {
    group: 'extension',
    name: 'packed',
    unit: 'MB',
    value: spreadOf([statSync(path).size / 1_000_000]),
    goal: 5,
    note: 'one VSIX for all systems',
    method: 'The size of the file that the marketplace gets, in millions of bytes.',
  };
}
