import { expect, test } from 'vitest';
import { formatProbe, formatProbeAsMarkdown, formatSparkline } from '../../../src/report/probe-table.ts';
import { foundTwo } from '../../support/probe-result.ts';

const plain = { isColored: false };

test('shows the curve, the verdict and the line to paste', () => {
  expect(formatProbe(foundTwo, plain)).toBe(`shop on localhost:5432, PostgreSQL 18.4: 5 rounds in 8.7 s
SELECT 1

size  statements/s  5 % to 95 %    mean  curve
   1           500    480 – 520  2.0 ms  █████████████▒
   2           980  940 – 1,010  2.0 ms  ██████████████████████████▒▒ recommended, knee
   4         1,000  900 – 1,100  4.0 ms  █████████████████████████▒▒▒▒▒

Found.  2 clients do 980 statements/s, 98 % of the most that any size did (1,000 statements/s with 4).

new Pool({ max: 2 })
Use it in one process. Bounded by the measured curve, which is flat from 2 on.
Drawing the rounds anew gave 2 to 3, and this size in 93 % of the draws.

Checked with a real pool of 2 and 8 callers: 950 statements/s; average 8.4 ms (6.3 ms waiting for a client + 2.1 ms in the database), p50 8.2 ms, p95 12 ms, p99 15 ms; at most 6 waiting.

Note: The statement is a stand-in.
`);
});

test('has colours only when asked', () => {
  expect(formatProbe(foundTwo, plain)).not.toContain('\u001B');
  expect(formatProbe(foundTwo, { ...plain, isColored: true })).toContain('\u001B[32mnew Pool({ max: 2 })');
});

test('names the pools and what they open together', () => {
  expect(formatProbe({ ...foundTwo, limits: { ...foundTwo.limits, pools: 4 } }, plain)).toContain('in each of 4 pools (8 connections together)');
});

test('a verdict without a number recommends nothing', () => {
  const text = formatProbe({ ...foundTwo, verdict: { kind: 'too-noisy', because: 'The rounds disagree.' }, recommendation: null, validation: null, errors: { '57014': 3 } }, plain);
  expect(text).toContain('Too noisy to say.  The rounds disagree.');
  expect(text).toContain('Failed statements: 3 × 57014.');
  expect(text).not.toContain('new Pool');
});

test('text of the database cannot steer the terminal', () => {
  expect(formatProbe({ ...foundTwo, workload: { ...foundTwo.workload, statements: [{ text: 'SELECT \u001B[2J', share: 1, parameters: [], meanMs: 2 }] }, server: { ...foundTwo.server, database: '\u001B]0;x\u0007' } }, plain)).not.toMatch(/[\u0007\u001B]/);
});

test('Markdown has the same table and escapes what it quotes', () => {
  const text = formatProbeAsMarkdown({ ...foundTwo, verdict: { kind: 'found', because: 'a | b <img>' } });
  expect(text).toContain('| **2** (recommended, knee) | 980 | 940 – 1,010 | 2.0 ms | 5 of 6 |');
  expect(text).toContain('```js\nnew Pool({ max: 2 })\n```');
  expect(text).toContain('a \\| b \\<img\\>');
});

test('the sparkline follows the throughput', () => {
  expect(formatSparkline(foundTwo.sizes)).toBe('▅██');
});
