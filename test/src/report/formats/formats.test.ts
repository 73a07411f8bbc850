import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatOfFile, formats } from '../../../../src/report/formats.ts';
import type { SizeResult } from '../../../../src/probe/result.ts';
import { hostileText, rawHidden, rawHiddenFromPeople } from '../../../support/hostile-text.ts';
import { foundTwo } from '../../../support/probe-result.ts';
import { everyResult, probeResults } from '../../../support/probe-results.ts';

const plain = { isColored: false, columns: null };

/** A result whose every text comes from a stranger. */
function sayingOnly(text: string): SizeResult {
  const { size } = probeResults;
  return {
    ...size,
    verdict: { kind: 'found', because: text },
    server: { ...size.server, database: text, host: text, version: text },
    workload: { ...size.workload, statements: [{ text, share: 1, parameters: [text], meanMs: 1 }] },
    limits: {
      ...size.limits,
      limits: size.limits.limits.map((limit) => ({ ...limit, name: text, arithmetic: text })),
    },
    errors: { [text]: 1 },
    notes: [text],
  };
}

describe('markdown', () => {
  test('has the same table and escapes what it quotes', () => {
    const text = formats.markdown.write(
      { ...foundTwo, verdict: { kind: 'found', because: 'a | b <img>' } },
      plain,
    );
    expect(text).toContain('| **2** (recommended, levels off) | 980 | 940 – 1,010 | 2.0 ms | 6 |');
    expect(text).toContain('```js\nnew Pool({\n  // Measured 2026-01-02');
    expect(text).toContain('a \\| b \\<img\\>');
  });

  test('a statement cannot leave its block', () => {
    expect(formats.markdown.write(sayingOnly('```\n<img src=x>\n```'), plain)).toContain(
      '````sql\n```\n<img src=x>\n```',
    );
  });
});

describe('csv', () => {
  test('is the curve, a row a size, with bounds of their own', () => {
    expect(formats.csv.write(foundTwo, plain)).toBe(
      'size,throughput_per_second,throughput_low,throughput_high,mean_ms,slices,mark\r\n1,500,480,520,2,5,\r\n2,980,940,1010,2.04,6,"recommended, levels off"\r\n4,1000,900,1100,4,5,\r\n',
    );
  });

  test('has as many cells in every row as in its head', () => {
    for (const result of everyResult) {
      const rows = formats.csv
        .write(result, plain)
        .trimEnd()
        .split('\r\n')
        .map((row) => row.replace(/"[^"]*"/g, '').split(',').length);
      expect(rows.length).toBeGreaterThan(1);
      expect(new Set(rows).size).toBe(1);
    }
  });
});

describe('html', () => {
  test.each([
    ['size', 2],
    ['users', 2],
    ['connect', 1],
    ['compare', 1],
    ['ramp', 2],
    ['spike', 1],
    ['advise', 0],
  ] as const)(
    '%s has its charts, each with words for who cannot see it, and a table',
    (experiment, charts) => {
      const page = formats.html.write(probeResults[experiment], plain);
      expect(page.match(/role="img" aria-label="[^"]{40,}"/g) ?? []).toHaveLength(charts);
      expect(page).toContain('<caption>');
      expect(page).not.toMatch(/NaN|Infinity|undefined| style=|<script|https?:[^<]*"/);
    },
  );

  test('the curve has its band, the pick, the limit, the ideal and every slice', () => {
    const page = formats.html.write(probeResults.size, plain);
    for (const text of [
      'class="band ink-0"',
      'mark-line pick',
      'CONNECTION LIMIT of app',
      'class="guide"',
    ])
      expect(page).toContain(text);
    expect(
      page.match(/<circle class="dot(?: unheard)?" cx="[\d.]+" cy="[\d.]+" r="2.2"/g),
    ).toHaveLength(54);
    expect(page.match(/dot unheard" cx="[\d.]+" cy="[\d.]+" r="2.2"/g)).toHaveLength(2);
  });
});

test('json gives back all there is', () => {
  for (const result of everyResult)
    expect(JSON.parse(formats.json.write(result))).toEqual(JSON.parse(JSON.stringify(result)));
});

test.each(['terminal', 'markdown', 'html'] as const)(
  '%s shows a character without width as its escape',
  (name) => {
    expect(formats[name].write(sayingOnly('ap\u200Bi \u009B\u{E0041}'), plain)).toMatch(
      /ap\\{1,2}u200bi \\{1,2}u009b\\{1,2}u\\?\{e0041/,
    );
  },
);

test('a page has no reference of which a browser makes such a character again', () => {
  expect(formats.html.write(sayingOnly('\u009B\u202E &#x202e; &#155;'), plain)).not.toMatch(
    /&#(?!39;)/,
  );
});

test('no format lets a hostile text out', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const result = sayingOnly(text);
      expect(formats.terminal.write(result, plain)).not.toMatch(rawHiddenFromPeople);
      for (const name of ['json', 'markdown', 'csv', 'html'] as const)
        expect(formats[name].write(result, plain)).not.toMatch(rawHidden);
      expect(formats.html.write(result, plain)).not.toMatch(/<img|<script|<svg\//);
      expect(JSON.parse(formats.json.write(result))).toEqual(JSON.parse(JSON.stringify(result)));
    }),
    { numRuns: 20 },
  );
});

test.each([
  ['a.md', 'markdown'],
  ['A.HTML', 'html'],
  ['b/c.csv', 'csv'],
  ['x.json', 'json'],
  ['x.txt', 'terminal'],
  ['x', undefined],
])('%s is written as %s', (path, format) => {
  expect(formatOfFile(path)).toBe(format);
});
