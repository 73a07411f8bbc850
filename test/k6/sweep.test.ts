import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { findFreePort } from '../../scripts/embedded-server.ts';
import type { SweepResult } from '../../src/sweep/sweep-result.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';
import { cli, pathWithK6 } from './support/real-k6.ts';

test('a sweep of healthy-api by k6 has a row for each size, with the queue that the monitor saw', async () => {
  const database = await createFreshDatabase();
  const port = await findFreePort();
  const app = join(import.meta.dirname, '../../dist/examples/healthy-api.js');
  const args = [
    'sweep',
    '--load',
    'k6',
    '--start',
    `"${process.execPath}" "${app}"`,
    '--url',
    `http://127.0.0.1:${port}/users`,
    '--sizes',
    '1,10',
    '--stages',
    '1s:40,3s:40',
    '--think',
    '20',
    '--passes',
    '1',
    '--yes',
    '--json',
  ];
  try {
    const child = spawn(process.execPath, [cli, ...args], {
      env: { ...process.env, PATH: pathWithK6(), PORT: String(port), DATABASE_URL: database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('Application:')]);
    const { load, rows, verdict, notes } = JSON.parse(stdout) as SweepResult;
    process.stdout.write(
      `sweep by k6: ${JSON.stringify(rows.map(({ samples: _samples, ...row }) => row))} ${verdict.kind}: ${verdict.because} ${notes.join(' ')}\n`,
    );
    expect(load.tool).toBe('k6');
    expect(rows.map(({ max, peakTotal }) => [max, peakTotal])).toEqual([
      [1, 1],
      [10, expect.any(Number)],
    ]);
    for (const { requests, errors } of rows) expect([requests > 200, errors]).toEqual([true, {}]);
    // 40 users at one client stand in line.
    expect(rows[0]?.peakWaiting).toBeGreaterThan(10);
  } finally {
    await database.drop();
  }
});
