import { parser as typescriptParser } from 'typescript-eslint';
import { Linter, type SourceCode } from 'eslint';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import plugin, { findingsOf, type PathStep } from '../../rules/index.ts';
import { faultsInMessage, sentencesOf } from './message-style.ts';
import { noteSamples } from './noted-samples.ts';
import { expectMended, lintWithAll, takenFrom } from './suggestions.ts';

export interface Sample {
  /** What the sample shows; the name of its test. */
  readonly name: string;
  /** Code with the expected reports under it: `//    ^^^^^^^ messageId` marks the columns of the line above. */
  readonly code: string;
  /** Other files of the project, by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: object;
  /** `sample.ts` unless given; the sample is the whole file then, and else it begins with a pool of `pg`. */
  readonly filename?: string;
  /** What the sample begins with instead. */
  readonly header?: string;
  /** What each report tells to do: all that its message says after the first sentence. */
  readonly cures?: readonly string[];
  /** The lines that the path of each report goes over, as they are written. */
  readonly paths?: readonly (readonly string[])[];
}

/** Samples that all begin with the same lines. */
export function withHeader(lines: string, samples: readonly Sample[]): readonly Sample[] {
  return samples.map((sample) => ({ header: `${lines}\n`, ...sample }));
}

/** A sample with the mark for `messageId` under the one call of `pool.connect(…)` in it. */
export function leaking(messageId: string, code: string): string {
  const lines = code.split('\n');
  const line = lines.findIndex((text) => text.includes('pool.connect('));
  const text = lines[line] ?? '';
  const start = text.indexOf('pool.connect(');
  const mark = `//${' '.repeat(start - 2)}${'^'.repeat(lengthOfCall(text.slice(start)))} ${messageId}`;
  return lines.toSpliced(line + 1, 0, mark).join('\n');
}

function lengthOfCall(text: string): number {
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === '(') depth++;
    if (character === ')' && --depth === 0) return index + 1;
  }
  return text.length;
}

interface Report {
  readonly line: number;
  readonly columns: string;
  readonly messageId: string;
}

const header = "import { Pool, type PoolClient } from 'pg';\nconst pool = new Pool();\n";

/** One test a sample: the rule reports exactly what is marked, in good words, and its suggestions fix that. Samples without marks must stay silent. */
export function checkRule(rule: string, samples: readonly Sample[]): void {
  noteSamples(
    rule,
    samples.map((sample) => ({ ...sample, path: pathOf(sample), code: codeOf(sample) })),
  );
  test.each(samples.map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
    const code = codeOf(sample);
    const { reports, cures, paths } = reportedIn(rule, code, sample);
    expect(reports).toEqual(marksIn(code));
    if (sample.cures !== undefined) expect(cures).toEqual(sample.cures);
    if (sample.paths !== undefined) expect(paths).toEqual(sample.paths);
  });
}

function codeOf({ header: own, filename, code }: Sample): string {
  return (own ?? (filename === undefined ? header : '')) + code;
}

function pathOf({ filename = 'sample.ts' }: Sample): string {
  return filename;
}

interface Reported {
  readonly reports: readonly Report[];
  readonly cures: readonly string[];
  readonly paths: readonly (readonly string[])[];
}

function reportedIn(rule: string, code: string, sample: Sample): Reported {
  const { files = {}, settings = {} } = sample;
  const filename = pathOf(sample);
  const folder = mkdtempSync(join(tmpdir(), 'poolguard-sample-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const config: Linter.Config = {
      files: ['**/*.{js,mjs,cjs,ts}'],
      plugins: { poolguard: plugin },
      rules: { [`poolguard/${rule}`]: 'error' },
      settings: { ...settings },
      languageOptions:
        filename.endsWith('s') && !filename.endsWith('.ts')
          ? { sourceType: filename.endsWith('.cjs') ? 'commonjs' : 'module' }
          : { parser: typescriptParser },
    };
    const path = join(folder, filename);
    const linter = new Linter({ cwd: folder });
    const messages = linter.verify(code, [config], { filename: path });
    expect(messages.flatMap(({ message }) => faultsInMessage(message))).toEqual([]);
    if (messages.some(({ suggestions = [] }) => suggestions.length > 0))
      expectAllMended(rule, code, path);
    // ESLint has none where the code does not parse.
    const sourceCode: SourceCode | null = linter.getSourceCode();
    const findings = sourceCode === null ? [] : findingsOf(sourceCode);
    return {
      reports: messages.map(({ line, column, endLine, endColumn, messageId, message }) => ({
        line,
        columns: endLine === line ? `${column}-${(endColumn ?? 0) - 1}` : `${column}-end`,
        messageId: messageId ?? message,
      })),
      cures: messages.map(({ message }) => sentencesOf(message).slice(1).join(' ')),
      paths: findings
        .filter((finding) => finding.rule === rule)
        .sort(({ place: { start: one } }, { place: { start: other } }) =>
          one.line === other.line ? one.column - other.column : one.line - other.line,
        )
        .map(({ steps }) => steps.map((step) => lineOf(step, code))),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The line in which a step begins. */
function lineOf({ file, place }: PathStep, code: string): string {
  const text = file === undefined ? code : readFileSync(file, 'utf8');
  return text.split('\n')[place.start.line - 1]?.trim() ?? '';
}

/** Whatever the rule suggests in a sample leaves nothing new to report. */
function expectAllMended(rule: string, code: string, path: string): void {
  const before = lintWithAll(code, path);
  for (const taken of takenFrom(before, rule)) expectMended(before, taken);
}

/** A mark that ends with `…` stands under the first line of a report of several lines. */
function marksIn(code: string): readonly Report[] {
  const lines = code.split('\n');
  return lines.flatMap((text, index) => {
    const mark = /^(?<before>\s*\/\/\s*)(?<carets>\^+)(?<open>…?) (?<messageId>\w+)$/u.exec(
      text,
    )?.groups;
    if (mark === undefined) return [];
    const { before = '', carets = '', open = '', messageId = '' } = mark;
    const target = lines.slice(0, index).findLastIndex((each) => !/^\s*\/\/\s*\^/u.test(each));
    const start = before.length + 1;
    return [
      {
        line: target + 1,
        columns: `${start}-${open === '' ? start + carets.length - 1 : 'end'}`,
        messageId,
      },
    ];
  });
}
