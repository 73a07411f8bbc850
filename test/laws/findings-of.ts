import { dirname } from 'node:path';
import { Linter } from 'eslint';
import { parser } from 'typescript-eslint';
import { readThrough } from '../../rules/project/modules-of-parser.ts';
import type { Finding } from '../../rules/checks/finding.ts';
import type { Place } from '../../rules/syntax/place.ts';
import plugin, { findingsOf } from '../../rules/index.ts';

/** What is said of a text, and where its client was acquired. */
export interface Sighting {
  readonly rule: string;
  readonly messageId: string;
  readonly path: string;
  /** The offsets at which the finding and the first step to it begin. */
  readonly at: number;
  readonly acquiredAt: number | undefined;
}

/** What is said of each of these files by one linter, in this order; files that need not exist stand in front of the disk. */
export function sightingsIn(
  files: Readonly<Record<string, string>>,
  beside: Readonly<Record<string, string>> = {},
): readonly Sighting[] {
  const ownParser = { ...parser };
  const open: Readonly<Record<string, string>> = { ...beside, ...files };
  readThrough(ownParser, {
    textOf: (path) => {
      const text = open[path];
      return text === undefined ? undefined : { text, version: 1 };
    },
    paths: () => Object.keys(open),
  });
  return Object.entries(files).flatMap(([path, text]) => sightingsOf(path, text, ownParser));
}

/** One rule that runs makes the analysis find for all. */
function sightingsOf(path: string, text: string, ownParser: typeof parser): readonly Sighting[] {
  const linter = new Linter({ cwd: dirname(path) });
  const config: Linter.Config = {
    files: ['**/?*'],
    plugins: { poolguard: plugin },
    rules: { 'poolguard/no-unreleased-client': 'error' },
    languageOptions: {
      parser: ownParser,
      sourceType: path.endsWith('.cjs') ? 'commonjs' : 'module',
    },
  };
  const failure = linter
    .verify(text, [config], { filename: path, allowInlineConfig: false })
    .find(({ fatal }) => fatal);
  if (failure !== undefined) throw new Error(`${failure.message} ${failure.line}\n${text}`);
  const lines = lineStartsOf(text);
  return findingsOf(linter.getSourceCode()).map((finding) => sightingOf(finding, path, lines));
}

function sightingOf(
  { rule, messageId, place, steps: [acquired] }: Finding,
  path: string,
  lines: readonly number[],
): Sighting {
  const offsetOf = ({ start: { line, column } }: Place): number => (lines[line - 1] ?? 0) + column;
  const isElsewhere = acquired?.file !== undefined && acquired.file !== path;
  return {
    rule,
    messageId,
    path,
    at: offsetOf(place),
    acquiredAt: acquired === undefined || isElsewhere ? undefined : offsetOf(acquired.place),
  };
}

function lineStartsOf(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/gu)].map(({ index }) => index + 1)];
}
