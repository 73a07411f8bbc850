import fc from 'fast-check';
import { expect } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import plugin from '../../rules/index.ts';
import { mayHoldCode } from '../../src/lint/file-code.ts';
import { createInspector, createLinter, type InspectedFile } from '../../src/lint/linter.ts';
import { mayMakePool } from '../../src/lint/may-use-pool.ts';
import { poolguard } from '../../src/lint/analyser.ts';
import { positionsIn } from '../../src/lint/positions.ts';
import type { Place } from '../../rules/index.ts';
import type { Fix } from '../../src/lint/problem.ts';
import { applyEdits } from '../../src/lint/setup/text-edit.ts';
import {
  disableForFile,
  disableForLine,
  isRuleProblem,
} from '../../src/server/actions/disable-comments.ts';
import { fixAll } from '../../src/server/actions/fix-all.ts';
import { fuzz } from './support/fuzz.ts';
import { brokenComponent, brokenSource, generatedSource, nestedSource } from './support/sources.ts';

const severities = Object.fromEntries(
  Object.keys(plugin.rules).map((id) => [`poolguard/${id}`, 'error' as const]),
);
const settings = { cwd: '/shop', preset: 'strict', severities };
const path = '/shop/orders.ts';
const inspect = createInspector(poolguard, settings);
const lint = createLinter(poolguard, settings);
const source = fc.oneof(
  { weight: 3, arbitrary: brokenSource },
  { weight: 1, arbitrary: generatedSource },
);

/** What the linter says when a rule threw. */
const thrown = 'The file could not be checked';

function expectInside(lines: readonly string[], { start, end }: Place): void {
  expect([
    start.line >= 1,
    start.line <= lines.length,
    start.column >= 0,
    end.line >= start.line,
    end.line <= lines.length,
  ]).toEqual([true, true, true, true, true]);
  for (const { line, column } of [start, end])
    expect(column).toBeLessThanOrEqual(lines[line - 1]?.length ?? 0);
}

/** Lines as ESLint counts them. */
function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/u, '').split(/\r\n|[\r\n\u2028\u2029]/u);
}

function expectSound(text: string, place = path): InspectedFile {
  const inspected = inspect({ path: place, text });
  expect(inspected.problems.filter(({ message }) => message.startsWith(thrown))).toEqual([]);
  for (const problem of inspected.problems) {
    expectInside(linesOf(text), problem.place);
    for (const step of problem.steps)
      if (step.file === undefined) expectInside(linesOf(text), step.place);
    for (const {
      range: [start, end],
    } of problem.fixes)
      expect([start >= 0, start <= end, end <= text.length]).toEqual([true, true, true]);
  }
  return inspected;
}

fuzz(
  'no program makes a rule throw, and every finding lies in the file',
  fc.oneof(source, nestedSource),
  (text) => {
    const inspected = expectSound(text);
    expect(
      [inspected.spans(), inspected.pools(), inspected.statements()].every(Array.isArray),
    ).toBe(true);
    for (const { textStart, end } of inspected.written()?.comments ?? [])
      expect([textStart >= 0, end <= text.length]).toEqual([true, true]);
    expect([mayHoldCode(text), mayMakePool(text)].every((each) => typeof each === 'boolean')).toBe(
      true,
    );
  },
  20,
);

fuzz(
  'no component makes a rule throw, and every finding lies in the file',
  brokenComponent,
  (text) => void expectSound(text, '/shop/orders.tsx'),
  80,
);

fuzz(
  'a program is told the same twice',
  source,
  (text) => {
    expect(lint({ path, text }).problems).toEqual(lint({ path, text }).problems);
  },
  40,
);

fuzz(
  'a deep program ends in an answer or in silence, within its time',
  nestedSource,
  (text) => {
    const before = process.cpuUsage().user;
    expectSound(text);
    // The limit on the number of facts is what holds this; a program of 24 nests parses in some 10 ms.
    expect((process.cpuUsage().user - before) / 1_000_000).toBeLessThan(20);
  },
  20,
);

function taken(text: string, { range: [start, end], text: put }: Fix): string {
  return text.slice(0, start) + put + text.slice(end);
}

fuzz(
  'a suggestion leaves code that parses, and no more findings of its rule',
  source,
  (text) => {
    const { problems } = lint({ path, text });
    if (problems.some(({ rule }) => rule === null)) return;
    for (const problem of problems.slice(0, 4)) {
      for (const fix of problem.fixes) {
        const after = lint({ path, text: taken(text, fix) });
        expect(
          after.problems
            .filter(({ rule }) => rule === null)
            .map(({ message }) => `${fix.title}: ${message}`),
        ).toEqual([]);
        const count = (all: typeof problems): number =>
          all.filter(({ rule }) => rule === problem.rule).length;
        expect(count(after.problems), fix.title).toBeLessThanOrEqual(count(problems));
      }
    }
  },
  30,
);

fuzz(
  'all fixes at once leave code that parses, and no more findings',
  source,
  (text) => {
    const before = lint({ path, text });
    const { code } = positionsIn(text);
    const fixed = fixAll(code, (each) => lint({ path, text: each }));
    if (fixed === code) return;
    const after = lint({ path, text: fixed });
    expect(after.problems.filter(({ rule }) => rule === null)).toEqual([]);
    expect(after.problems.length).toBeLessThanOrEqual(before.problems.length);
  },
  30,
);

fuzz(
  'a comment that switches a rule off does, and the code still parses',
  source,
  (text) => {
    const inspected = inspect({ path, text });
    const written = inspected.written();
    const problem = inspected.problems.find(isRuleProblem);
    if (written === undefined || problem === undefined) return;
    const { rule } = problem;
    const document = TextDocument.create('file:///shop/orders.ts', 'typescript', 1, text);
    const positions = positionsIn(text);
    for (const [edit, remains] of [
      [disableForLine(positions, written, problem), inspected.problems.length - 1],
      [
        disableForFile(positions, written, problem),
        inspected.problems.filter((each) => each.rule !== rule).length,
      ],
    ] as const) {
      const after = lint({ path, text: TextDocument.applyEdits(document, [edit]) });
      expect(after.problems.filter((each) => each.rule === null)).toEqual([]);
      expect(after.problems.length).toBeLessThanOrEqual(remains);
    }
  },
  40,
);

fuzz(
  'a pool whose options are written has them, and the code still parses',
  fc.tuple(source, fc.nat(200)),
  ([text, max]) => {
    const inspected = inspect({ path, text });
    for (const pool of inspected.pools()) {
      const edits = inspected.poolEdits(pool, { max, connectionTimeoutMillis: 5_000 });
      if (edits === undefined) continue;
      const after = inspect({
        path,
        text: applyEdits(
          text,
          edits.map(({ range: [start, end], text: put }) => ({ start, end, text: put })),
        ),
      });
      expect(after.problems.filter(({ rule }) => rule === null)).toEqual([]);
      expect(after.pools().length).toBe(inspected.pools().length);
      const again = after.pools().find((each) => each.place.start.line === pool.place.start.line);
      if (again !== undefined)
        expect(after.poolEdits(again, { max, connectionTimeoutMillis: 5_000 }) ?? []).toEqual([]);
    }
  },
  40,
);
