import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { poolguard, ruleIdsOf } from '../../src/lint/analyser.ts';
import { createInspector, type Inspect } from '../../src/lint/linter.ts';
import type { Place } from '../../rules/index.ts';
import type { Problem } from '../../src/lint/problem.ts';
import { createProgram } from '../../src/lint/program.ts';
import type { Entry, Finding, Trouble } from './entry.ts';
import { idOf, type Sample } from './sample.ts';

const severities = Object.fromEntries(ruleIdsOf(poolguard).map((id) => [id, 'error' as const]));

/** All that is said of the files of a sample, a line each. Checkouts of commits lie in `checkouts`. */
export function readSample(sample: Sample, checkouts: string): readonly string[] {
  if (sample.commit !== undefined)
    return linesIn(sample, join(checkouts, sample.commit.replace('/', '+')));
  const folder = mkdtempSync(join(tmpdir(), 'poolguard-ledger-'));
  try {
    for (const [path, text] of Object.entries(sample.files ?? {})) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    if (sample.isInstalled === true) linkPackages(sample, folder);
    return linesIn(sample, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is installed for a folder of this repository is seen in its copy. */
function linkPackages({ lint }: Sample, folder: string): void {
  const above = lint.flatMap((path) =>
    path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/')),
  );
  for (const path of new Set(above)) {
    const packages = resolve(path, 'node_modules');
    if (existsSync(packages)) symlinkSync(packages, join(folder, path, 'node_modules'));
  }
}

function linesIn(sample: Sample, folder: string): readonly string[] {
  const id = idOf(sample);
  // What is remembered of other files goes with the program.
  const inspect = createInspector(
    poolguard,
    { severities, written: settingsOf(sample) },
    createProgram(),
  );
  const said = sample.lint.flatMap((file) => entriesOf(id, file, folder, inspect));
  return [{ sample: id, kind: 'sample', ...sample } satisfies Entry, ...said].map((entry) =>
    JSON.stringify(entry).replaceAll(`${folder}/`, ''),
  );
}

function settingsOf({ settings = {} }: Sample): unknown {
  return (settings as { readonly poolguard?: unknown }).poolguard;
}

function entriesOf(id: string, file: string, folder: string, inspect: Inspect): readonly Entry[] {
  try {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const { problems, suppressed, verdicts } = inspect({ path, text });
    const lines = text.split('\n');
    const at = (place: Place) => ({
      sample: id,
      file,
      place: placeText(place),
      code: lines[place.start.line - 1]?.trim().slice(0, 300) ?? '',
    });
    return [
      ...[...problems, ...suppressed].map((problem) =>
        problem.rule === null
          ? trouble(id, file, problem.message)
          : { ...at(problem.place), ...findingOf(problem, folder) },
      ),
      ...verdicts().map(({ place, verdict, reason }) => ({
        ...at(place),
        kind: 'verdict' as const,
        verdict,
        reason,
      })),
    ];
  } catch (error) {
    return [trouble(id, file, String(error))];
  }
}

function trouble(sample: string, file: string, message: string): Trouble {
  return { sample, kind: 'trouble', file, message: message.split('\n')[0] ?? '' };
}

function placeText({ start, end }: Place): string {
  return `${start.line}:${start.column + 1}-${end.line}:${end.column + 1}`;
}

function findingOf(
  { rule, message, steps, fixes }: Problem,
  folder: string,
): Pick<Finding, 'kind' | 'rule' | 'message' | 'path' | 'suggestions'> {
  return {
    kind: 'finding',
    rule: rule?.replace('poolguard/', '') ?? '',
    message,
    path: steps.map((step) => {
      const elsewhere = step.file === undefined ? '' : `${relative(folder, step.file)}:`;
      return `${elsewhere}${placeText(step.place)} ${step.text}`;
    }),
    suggestions: fixes.map(
      ({ title, range, text }) => `${title} [${range.join('-')}]: ${JSON.stringify(text)}`,
    ),
  };
}
