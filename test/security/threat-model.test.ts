import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Threat {
  readonly threat: string;
  readonly sources: readonly string[];
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

const page = readFileSync('docs/threat-model.md', 'utf8');

function readThreats(): readonly Threat[] {
  const table =
    page.slice(page.indexOf('| threat |')).split('\n\n', 1)[0]?.split('\n').slice(2) ?? [];
  return table.map((line) => {
    const [threat = '', stops = '', shown = ''] = line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim());
    return {
      threat,
      sources: [...stops.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
      tests: [...shown.matchAll(/`(test\/[^`]+)`: "([^"]+)"/g)].map((match) => ({
        file: match[1] ?? '',
        title: match[2] ?? '',
      })),
    };
  });
}

const threats = readThreats();

/** A title as code writes it, in whichever quotes. */
function hasTitle(code: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) =>
    code.includes(`${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`),
  );
}

describe.each(threats)('$threat', ({ sources, tests }) => {
  test('is stopped by files that exist', () => {
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('is shown by tests that exist', () => {
    expect(tests.length).toBeGreaterThan(0);
    expect(
      tests.filter(
        ({ file, title }) => !existsSync(file) || !hasTitle(readFileSync(file, 'utf8'), title),
      ),
    ).toEqual([]);
  });
});

test('every file of this folder shows something of the table', () => {
  const named = new Set(threats.flatMap(({ tests }) => tests.map(({ file }) => file)));
  const files = readdirSync('test/security')
    .map((name) => join('test/security', name))
    .filter((path) => !path.endsWith('threat-model.test.ts'));
  expect(files.filter((path) => ![...named].some((file) => file.startsWith(path)))).toEqual([]);
});

test('the page has all of its table', () => {
  expect(threats.length).toBeGreaterThanOrEqual(35);
});
