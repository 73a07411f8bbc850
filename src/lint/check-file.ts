import { createReadStream } from 'node:fs';
import { readOrdinary, type OrdinaryFile, type Unread } from '../../rules/project/ordinary-file.ts';
import { prefix, type Analyser } from './analyser.ts';
import { codeOf } from './code-of.ts';
import { fixFile, type Fixing } from './fix-file.ts';
import { createLinter, type LintedFile, type LintSettings } from './linter.ts';
import { isTooLarge } from './may-use-pool.ts';
import { createProgram } from './program.ts';
import { longestSource } from './read-source.ts';
import { uncheckedFile } from './unchecked-file.ts';

/** A file of the disk after linting; without its text where nothing is said of it. */
export interface CheckedFile extends LintedFile {
  /** The paths at which something was looked for on its behalf, whether it is there or not, its own among them; empty where nobody wants them. */
  readonly reads: readonly string[];
}

/** Which rules run, and how. */
export type RuleSettings = LintSettings;

/** What to check with; it can be sent to a thread. */
export interface CheckSettings {
  readonly cwd: string;
  /** Whether somebody wants to know what was read. */
  readonly isNoting: boolean;
  /** The first one counts where `chosen` says nothing; without one the preset `recommended` runs. */
  readonly configurations?: readonly RuleSettings[];
  /** The index of the configuration of a file, by its path. */
  readonly chosen?: ReadonlyMap<string, number>;
  /** Left out where texts stay as they are. */
  readonly fixing?: Fixing;
}

/** Lints files of the disk, one after the other. It never rejects: a file that cannot be read becomes a problem of its own. */
export type FileCheck = (path: string) => Promise<CheckedFile>;

export function createFileCheck(
  analyser: Analyser,
  { isNoting, configurations = [{}], chosen, fixing }: CheckSettings,
): FileCheck {
  let reads = new Set<string>();
  const note = isNoting ? { note: (path: string) => void reads.add(path) } : {};
  const program = createProgram({
    isFixed: true,
    isOneRow: true,
    textOf: () => undefined,
    paths: () => [],
    ...note,
  });
  const linters = configurations.map((each) => createLinter(analyser, each, program));
  const check = (path: string, text: string): LintedFile => {
    // A comment may configure a rule that there is not, which is complained about.
    if (!text.includes(prefix) && !analyser.mayFind({ path, text }, program.modules()))
      return { path, text: '', problems: [], suppressed: [] };
    if (isTooLarge(text)) return uncheckedFile(path, tooLarge, 'warning');
    const lint = linters[chosen?.get(path) ?? 0];
    if (lint === undefined) throw new Error(`${path} has no configuration.`);
    const linted = lint({ path, text });
    // What is no UTF-8 would not be written as it was.
    return fixing === undefined || text.includes('\uFFFD') ? linted : fixFile(lint, linted, fixing);
  };
  return async (path) => {
    const text = await textOf(path);
    if (typeof text !== 'string') return { ...text, reads: [] };
    reads = new Set(isNoting ? [path] : []);
    const checked = check(path, text);
    const isShown = checked.problems.length > 0 || checked.fixed !== undefined;
    return { ...checked, text: isShown ? checked.text || text : '', reads: [...reads] };
  };
}

const tooLarge =
  'The file was not checked: it has more than 2,000,000 characters. Exclude it if it is generated.';

/** What a shell gives in the place of a file: `poolguard lint <(git show HEAD:a.ts)`. */
const givenByShell = /^\/dev\/(?:stdin|fd\/\d+)$/u;

/** The text of a file, else why there is none. Read at once: to wait for each would take a tenth of a run. */
async function textOf(path: string): Promise<string | LintedFile> {
  const read = givenByShell.test(path)
    ? await readStream(path)
    : readOrdinary(path, { longest: longestSource });
  if (read.kind === 'read') return read.bytes.toString('utf8');
  const why = unreadBecause[read.code] ?? `The file cannot be read: ${read.code}.`;
  return uncheckedFile(path, why);
}

const unreadBecause: Readonly<Record<string, string>> = {
  EFBIG: 'The file was not checked: it is larger than 16 MB. Exclude it if it is generated.',
  EINVAL: 'The file was not checked: it is a pipe, a device or a folder, or a link to one.',
};

async function readStream(path: string): Promise<Pick<OrdinaryFile, 'kind' | 'bytes'> | Unread> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > longestSource) return { kind: 'unread', code: 'EFBIG' };
    }
    return { kind: 'read', bytes: Buffer.concat(chunks) };
  } catch (failure) {
    return { kind: 'unread', code: codeOf(failure) };
  }
}
