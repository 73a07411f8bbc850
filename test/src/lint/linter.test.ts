import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../../rules/index.ts';
import type { LintSettings } from '../../../src/lint/linter.ts';
import type { Severity } from '../../../src/lint/rule-entry.ts';
import { createInspector, createLinter } from '../../../src/lint/linter.ts';
import { poolguard, type Analyser } from '../../../src/lint/analyser.ts';
import { createProgram } from '../../../src/lint/program.ts';
import { createTinyAnalyser } from '../../support/tiny-analyser.ts';

const cwd = join(import.meta.dirname, 'workspace');
const leak = 'const client = await pool.connect();\n';
const realLeak = `import { Pool } from 'pg';\nconst pool = new Pool();\n${leak}`;

function lint(text: string, name = 'app.ts', settings: Partial<LintSettings> = {}) {
  return createLinter(createTinyAnalyser(), settings)({ path: join(cwd, name), text });
}

/** The trees that it gives break when the rules look at their scopes. */
function createBreakingProgram() {
  const program = createProgram();
  return {
    ...program,
    parse: (...source: Parameters<typeof program.parse>) => ({
      ...program.parse(...source),
      scopeManager: {
        get scopes(): never {
          throw new Error('no tree');
        },
      } as unknown as ReturnType<typeof program.parse>['scopeManager'],
    }),
  };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a leak', () => {
  it('is a problem with its place, its path and its suggestion', () => {
    expect(lint(leak).problems).toEqual([
      {
        rule: 'poolguard/no-unreleased-client',
        messageId: 'leaked',
        severity: 'error',
        message: 'The client is never released.',
        place: { start: { line: 1, column: 21 }, end: { line: 1, column: 35 } },
        steps: [
          {
            place: { start: { line: 1, column: 21 }, end: { line: 1, column: 35 } },
            text: 'The client is acquired here.',
          },
          {
            place: { start: { line: 1, column: 35 }, end: { line: 1, column: 35 } },
            text: 'It is lost here.',
          },
        ],
        fixes: [
          {
            kind: 'release',
            title: 'Release it',
            range: [35, 35],
            text: '.then((client) => client.release())',
          },
        ],
      },
    ]);
  });

  it.each([
    'a.js',
    'a.jsx',
    'a.mjs',
    'a.cjs',
    'a.ts',
    'a.tsx',
    'a.mts',
    'a.cts',
    'A.TS',
    'Untitled-1',
    'node_modules/x/a.js',
    '../outside/a.ts',
  ])('is found in %s', (name) => {
    expect(lint(leak, name).problems).toHaveLength(1);
  });

  it.each([
    ['JSX in .js', 'app.js', 'const page = <p>hello</p>;'],
    ['types in .js', 'app.js', 'const count: number = <any>1;'],
    ['JSX in .ts', 'app.ts', 'const page = <p>hello</p>;'],
    ['an assertion in .tsx', 'app.tsx', 'const count = <any>1;'],
    ['a hashbang', 'app.js', '#!/usr/bin/env node'],
    ['using', 'app.ts', 'await using lock = await take();'],
  ])('is found beside %s', (_, name, other) => {
    expect(lint(`${other}\n${leak}`, name).problems.map(({ rule }) => rule)).toEqual([
      'poolguard/no-unreleased-client',
    ]);
  });
});

describe('comments', () => {
  it.each([
    [
      'a disabled line',
      `// eslint-disable-next-line poolguard/no-unreleased-client -- closed at exit\n${leak}`,
    ],
    ['a disabled file', `/* eslint-disable */\n${leak}`],
    [
      'a rule configured in the file',
      `/* eslint poolguard/no-unreleased-client: "off" */\n${leak}`,
    ],
  ])('%s is honoured', (_, text) => {
    expect(lint(text).problems).toEqual([]);
  });

  it('what a comment switches off is kept as suppressed', () => {
    const { suppressed } = lint(`${leak.trim()} // eslint-disable-line`);
    expect(suppressed.map(({ rule, suppressions }) => [rule, suppressions[0]?.kind])).toEqual([
      ['poolguard/no-unreleased-client', 'directive'],
    ]);
  });

  it('about rules of other plugins are nobody’s problem', () => {
    const text =
      '/* eslint no-console: "error", react/jsx-key: 2, "unknown": [ */\n// eslint-disable-next-line vue/whatever\nconsole.log(1);\n';
    expect(lint(text).problems).toEqual([]);
  });
});

describe('settings', () => {
  it.each<[Severity, string[]]>([
    ['off', []],
    ['warn', ['warning']],
    ['error', ['error']],
  ])('severity %s gives %j', (severity, expected) => {
    const { problems } = lint(leak, 'app.ts', {
      severities: { 'poolguard/no-unreleased-client': severity },
    });
    expect(problems.map((problem) => problem.severity)).toEqual(expected);
  });
});

describe('text that does not parse', () => {
  it.each([
    ['broken TypeScript', 'app.ts', 'const = ;'],
    ['broken JavaScript', 'app.js', 'function ('],
    ['a template in another language', 'app.js', '<?php echo 1; ?>'],
    ['binary data', 'app.js', '\u0000\u0001\uFFFD\u001B[31m'],
    ['an assertion and JSX at once', 'app.ts', 'const a = <any>1; const b = <p>x</p>;'],
  ])('%s is one problem in words', (_, name, text) => {
    const { problems } = lint(text, name);
    expect(problems.map(({ rule, severity }) => [rule, severity])).toEqual([[null, 'error']]);
    expect(problems[0]?.message).toMatch(
      /^The file was not checked because of a syntax error: .+\.$/u,
    );
  });

  it('the failure names the place', () => {
    expect(lint('const a = 1;\nconst b = ;\n').problems[0]).toMatchObject({
      place: { start: { line: 2 } },
    });
  });

  it('a failure at the first letter is in column 1', () => {
    expect(lint("iimport express from 'express';", 'app.ts').problems[0]).toMatchObject({
      place: { start: { line: 1, column: 0 } },
    });
  });
});

describe('an analysis that throws', () => {
  it('is a problem, not a crash', () => {
    const broken = createTinyAnalyser(() => ({
      findings: () => {
        throw new Error('out of luck\nstack');
      },
    }));
    const linted = createLinter(broken, {})({ path: join(cwd, 'app.ts'), text: leak });
    expect(linted.problems.map(({ rule, message }) => [rule, message])).toEqual([
      [null, 'The file could not be checked: out of luck.'],
    ]);
    expect(linted.mistake).toMatchObject({ message: 'out of luck' });
  });

  it('is a mistake that somebody can ask for, and nothing that ESLint shows', () => {
    vi.stubEnv('POOLGUARD_DEBUG', undefined);
    const linted = createLinter(
      poolguard,
      {},
      createBreakingProgram(),
    )({
      path: join(cwd, 'app.ts'),
      text: realLeak,
    });
    expect(linted).toMatchObject({ problems: [], suppressed: [], mistake: { message: 'no tree' } });
    expect(linted.mistake?.stack).toContain('linter.test.ts');
  });

  it('is shown with POOLGUARD_DEBUG=1', () => {
    vi.stubEnv('POOLGUARD_DEBUG', '1');
    const { problems } = createLinter(
      poolguard,
      {},
      createBreakingProgram(),
    )({
      path: join(cwd, 'app.ts'),
      text: realLeak,
    });
    expect(problems.map(({ message }) => message)).toEqual([
      'The file could not be checked: no tree.',
    ]);
  });

  it('is none where it does not throw', () => {
    expect(lint(leak).mistake).toBeUndefined();
  });

  it('is told of when a file is asked for more than its problems', () => {
    let thrown: unknown;
    const told: string[] = [];
    const analyser = createTinyAnalyser(() => ({
      spans: () => {
        thrown = 'no spans.';
        return [];
      },
      mistake: () => thrown,
    }));
    const inspected = createInspector(analyser, {}, createProgram(), ({ message }) =>
      told.push(message),
    )({ path: join(cwd, 'app.ts'), text: leak });
    expect(inspected.mistake).toBeUndefined();
    expect(inspected.pools()).toEqual([]);
    expect(told).toEqual([]);
    expect(inspected.spans()).toEqual([]);
    expect(told).toEqual(['no spans']);
  });
});

describe('the path of a finding', () => {
  it('is plain data, and that of the problem', () => {
    const told: Finding[] = [];
    const listening: Analyser = {
      ...poolguard,
      analyse(...asked) {
        const analysis = poolguard.analyse(...asked);
        told.push(...analysis.findings());
        return analysis;
      },
    };
    const { problems } = createLinter(listening, { preset: 'strict' })({
      path: '/app/a.ts',
      text: `import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function work() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n`,
    });
    expect(told.some(({ steps }) => steps.length > 1)).toBe(true);
    expect(structuredClone(told)).toEqual(told);
    const paths = new Set(told.map(({ steps }) => steps));
    expect(problems.filter(({ steps }) => !paths.has(steps))).toEqual([]);
  });
});

describe('size', () => {
  it('20,000 lines are linted', () => {
    const text = `${'export async function work() {\n  const rows = await load();\n  return rows.map((row) => row.id);\n}\n'.repeat(5000)}${leak}`;
    expect(lint(text).problems.map(({ place }) => place.start.line)).toEqual([20_001]);
  });

  it.each([
    [
      'a sum of 20,000 terms',
      `const sum = ${Array.from({ length: 20_000 }, () => 'a').join(' + ')};`,
    ],
    ['5,000 nested brackets', `const deep = ${'['.repeat(5000)}${']'.repeat(5000)};`],
    ['5,000 chained calls', `build${'.with(1)'.repeat(5000)};`],
  ])('%s gives an answer', (_, text) => {
    const rules = lint(text).problems.map(({ rule }) => rule);
    expect([[], [null]]).toContainEqual(rules);
  });
});
