import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { program } from '../rules/oracle/generate.ts';
import { printProgram, type PrintedProgram } from '../rules/oracle/print-program.ts';
import { sourceOf } from '../rules/oracle/verdict.ts';
import { codeBlocksOf } from '../support/code-blocks.ts';
import { poolModule } from '../support/pool-module.ts';
import { circles } from './circles.ts';
import type { Source } from './subject.ts';

const root = resolve(import.meta.dirname, '../..');

/** The source files of a folder. */
function filesIn(folder: string): readonly Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.d)\.[cm]?[jt]s$/u.test(path) && !path.includes('node_modules'))
    .toSorted()
    .map((path) => ({
      name: path,
      path: join(folder, path),
      text: readFileSync(join(folder, path), 'utf8'),
    }));
}

/** The examples of the rules' pages, beside the pool that they import. */
function examplesOfPages(): readonly Source[] {
  const folder = join(root, 'docs/rules');
  return readdirSync(folder).flatMap((page) =>
    codeBlocksOf(readFileSync(join(folder, page), 'utf8'))
      .filter(({ language }) => /^[cm]?[jt]s$/u.test(language))
      .map(({ language, text, line }) => ({
        name: `${page}:${line}`,
        path: `/pages/${page.replace('.md', '')}/example.${language}`,
        text,
        beside: { [`/pages/${page.replace('.md', '')}/pool.js`]: poolModule() },
      })),
  );
}

/** What this repository shows and tests with, and a folder beside it. */
export function writtenSources(corpus: string | undefined): readonly Source[] {
  const folders = ['test/fixtures', 'examples'].map((folder) => join(root, folder));
  return [
    ...folders.flatMap(filesIn),
    ...examplesOfPages(),
    ...(corpus !== undefined && existsSync(corpus) ? filesIn(resolve(corpus)) : []),
  ];
}

/** Functions that call each other in circles. */
export const circularSources: fc.Arbitrary<Source> = circles.map((text) => ({
  name: 'random circles',
  path: '/programs/program.js',
  text,
}));

/** Functions around a checkout, and functions that call each other in circles. */
export const randomSources: fc.Arbitrary<Source> = fc.oneof(
  { weight: 3, arbitrary: program.map((each) => sourceOfProgram(printProgram(each))) },
  { weight: 1, arbitrary: circularSources },
);

function sourceOfProgram(program: PrintedProgram): Source {
  return { name: 'a random program', path: '/programs/program.js', text: sourceOf(program) };
}
