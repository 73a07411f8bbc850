import { existsSync, readFileSync } from 'node:fs';
import { CouldNotRun } from '../../src/cli/exit-code.ts';
import type { Entry, Finding, SampleEntry, Trouble, Verdict } from './entry.ts';

type Said = Exclude<Entry, SampleEntry>;

/** One thing that two ledgers say differently of the same files. */
export interface Difference {
  /** Or `verdict`, or `trouble`. */
  readonly rule: string;
  /** `lost`, `new`, `moved`, `other words`, `other path`, `other suggestion`, `other verdict released → unknown`, `other reason`. */
  readonly kind: string;
  readonly sample: SampleEntry;
  readonly file: string;
  readonly place: string;
  readonly before: string;
  readonly after: string;
  /** The line of code that it is about. */
  readonly code: string;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Samples that both ledgers have. */
  readonly shared: number;
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

interface Ledger {
  readonly samples: ReadonlyMap<string, SampleEntry>;
  /** What is said of each sample, as it is written. */
  readonly said: ReadonlyMap<string, readonly string[]>;
}

export function compareLedgers(beforeFile: string, afterFile: string): Comparison {
  const [before, after] = [readLedger(beforeFile), readLedger(afterFile)];
  const shared = [...before.samples].filter(([id]) => after.samples.has(id));
  return {
    differences: shared.flatMap(([id, sample]) =>
      differencesOf(sample, before.said.get(id) ?? [], after.said.get(id) ?? []),
    ),
    shared: shared.length,
    onlyBefore: [...before.samples.keys()].filter((id) => !after.samples.has(id)),
    onlyAfter: [...after.samples.keys()].filter((id) => !before.samples.has(id)),
  };
}

/** The samples of a ledger. */
export function samplesOf(file: string): readonly SampleEntry[] {
  return [...readLedger(file).samples.values()];
}

function readLedger(file: string): Ledger {
  if (!existsSync(file)) throw new CouldNotRun(`${file} does not exist.`);
  const samples = new Map<string, SampleEntry>();
  const said = new Map<string, string[]>();
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line === '') continue;
    const entry = entryOf(line, `${file}, line ${index + 1}`);
    if (entry.kind === 'sample') samples.set(entry.sample, entry);
    else said.set(entry.sample, [...(said.get(entry.sample) ?? []), line]);
  }
  if (samples.size === 0) throw new CouldNotRun(`${file} has no samples.`);
  return { samples, said };
}

function entryOf(line: string, place: string): Entry {
  try {
    const entry = JSON.parse(line) as Partial<Entry> | null;
    if (typeof entry?.sample === 'string' && typeof entry.kind === 'string') return entry as Entry;
  } catch {
    // The same sentence serves what is not JSON and what is another's.
  }
  throw new CouldNotRun(`${place} is not a line of a ledger.`);
}

/** How well two entries that differ go together; the best pairs are taken first. */
const likenesses: readonly ((one: Said, other: Said) => boolean)[] = [
  (one, other) => startOf(one) === startOf(other) && wordsOf(one) === wordsOf(other),
  (one, other) => startOf(one) === startOf(other),
  (one, other) => one.kind === 'finding' && wordsOf(one) === wordsOf(other),
];

function differencesOf(
  sample: SampleEntry,
  before: readonly string[],
  after: readonly string[],
): readonly Difference[] {
  const isMissingIn = (lines: readonly string[]) => {
    const known = new Set(lines);
    return (line: string) => !known.has(line);
  };
  const lost = before.filter(isMissingIn(after)).map((line) => JSON.parse(line) as Said);
  const found = after.filter(isMissingIn(before)).map((line) => JSON.parse(line) as Said);
  const changed = likenesses.flatMap((isLike) =>
    takePairs(
      lost,
      found,
      (one, other) => subjectOf(one) === subjectOf(other) && isLike(one, other),
    ),
  );
  return [
    ...changed.flatMap(([one, other]) => changesOf(sample, one, other)),
    ...lost.map((each) => difference(sample, each, 'lost', textOf(each), '')),
    ...found.map((each) => difference(sample, each, 'new', '', textOf(each))),
  ];
}

function takePairs(
  lost: Said[],
  found: Said[],
  isPair: (one: Said, other: Said) => boolean,
): readonly (readonly [Said, Said])[] {
  return lost.slice().flatMap((one) => {
    const other = found.find((each) => isPair(one, each));
    if (other === undefined) return [];
    lost.splice(lost.indexOf(one), 1);
    found.splice(found.indexOf(other), 1);
    return [[one, other] as const];
  });
}

function subjectOf(said: Said): string {
  return `${ruleOf(said)} ${said.file}`;
}

function ruleOf(said: Said): string {
  return said.kind === 'finding' ? said.rule : said.kind;
}

function startOf(said: Said): string {
  return said.kind === 'trouble' ? '' : (said.place.split('-')[0] ?? '');
}

function wordsOf(said: Said): string {
  return said.kind === 'verdict' ? `${said.verdict}: ${said.reason}` : said.message;
}

function textOf(said: Said): string {
  return said.kind === 'finding' ? [said.message, ...said.path].join('\n') : wordsOf(said);
}

function changesOf(sample: SampleEntry, one: Said, other: Said): readonly Difference[] {
  const changes =
    one.kind === 'finding' && other.kind === 'finding'
      ? changesOfFinding(one, other)
      : [changeOfWords(one as Verdict | Trouble, other as Verdict | Trouble)];
  return changes.map(([kind, before, after]) => difference(sample, other, kind, before, after));
}

type Changed = readonly [kind: string, before: string, after: string];

function changeOfWords(one: Verdict | Trouble, other: Verdict | Trouble): Changed {
  const kind =
    one.kind === 'trouble' || other.kind === 'trouble'
      ? 'other words'
      : one.verdict === other.verdict
        ? 'other reason'
        : `other verdict ${one.verdict} → ${other.verdict}`;
  return [kind, wordsOf(one), wordsOf(other)];
}

/** What moved has its path elsewhere, and its edits. */
function changesOfFinding(one: Finding, other: Finding): readonly Changed[] {
  if (startOf(one) !== startOf(other)) return [['moved', one.place, other.place]];
  const parts: readonly (readonly [kind: string, of: (each: Finding) => string])[] = [
    ['moved', ({ place }) => place],
    ['other words', ({ message }) => message],
    ['other path', ({ path }) => path.join('\n')],
    ['other suggestion', ({ suggestions }) => suggestions.join('\n')],
  ];
  return parts.flatMap(([kind, of]) =>
    of(one) === of(other) ? [] : [[kind, of(one), of(other)] as const],
  );
}

function difference(
  sample: SampleEntry,
  said: Said,
  kind: string,
  before: string,
  after: string,
): Difference {
  const { place, code } = said.kind === 'trouble' ? { place: '1:1', code: '' } : said;
  return { rule: ruleOf(said), kind, sample, file: said.file, place, before, after, code };
}
