import Table from 'cli-table3';
import { formatCount, formatDuration, formatPercent } from '../../src/report/html/figures.ts';
import type { LoadFigures } from '../../src/report/report-input.ts';

/** Services side by side: what their callers saw. */
export function loadTable(loads: readonly LoadFigures[]): string {
  const table = new Table({
    head: ['', ...loads.map(({ name }) => name)],
    style: { head: [], border: [] },
    colAligns: ['left', ...loads.map(() => 'right' as const)],
  });
  const row = (label: string, value: (figures: LoadFigures) => string) =>
    table.push([label, ...loads.map(value)]);
  row('correct answers per second', ({ throughput }) => formatCount(throughput));
  row(
    'failed requests',
    ({ failed, requests }) =>
      `${formatCount(failed)} (${formatPercent(requests === 0 ? 0 : failed / requests)})`,
  );
  row('median latency', ({ p50Ms }) => formatDuration(p50Ms));
  row('99th percentile', ({ p99Ms }) => formatDuration(p99Ms));
  row('clients that never came back', ({ lostClients, poolMax }) => `${lostClients} of ${poolMax}`);
  return table.toString();
}
