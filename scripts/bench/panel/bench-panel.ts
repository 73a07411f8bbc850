import { fileURLToPath } from 'node:url';
import { median, quantile } from 'simple-statistics';
import { nextActivity } from '../../../src/activity/activity-model.ts';
import { launchChromium } from '../../../test/support/chromium-for-tests.ts';
import { openWebview, type pages, type WebviewPage } from '../../../test/support/webview-page.ts';
import type { Bench } from '../bench.ts';
import { spreadOf, type Row } from '../figures.ts';
import { generateActivity, generateLook } from './generated-activity.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sessions = 1_000;
const looks = 60;
/** A curve is full after so many looks, and the compiler has seen what is hot. */
const looksBefore = 120;
const megabyte = 1_048_576;

/** What one look costs the two pages at a crowded server, in a real browser. */
export async function benchPanel(bench: Bench): Promise<readonly Row[]> {
  const browser = await launchChromium();
  try {
    const rows: Row[] = [];
    for (const which of Object.keys(names) as (keyof typeof names)[]) {
      bench.progress(`${which} with ${sessions} sessions`);
      await using view = await openWebview(browser, which, { root });
      rows.push(
        ...rowsOf(which, await measureLooks(view, Math.max(10, Math.round(looks * bench.scale)))),
      );
    }
    return rows;
  } finally {
    await browser.close();
  }
}

/** As the browser names what it does, and as people do. */
const parts = {
  ScriptDuration: 'script',
  RecalcStyleDuration: 'style',
  LayoutDuration: 'layout',
} as const;

interface Measured {
  /** CPU time of the page's main thread for each sample, in ms. */
  readonly work: readonly number[];
  /** The same, of each part; what is left is reading the message, paint and the browser's own. */
  readonly byPart: Readonly<Record<keyof typeof parts, readonly number[]>>;
  /** Bytes of JavaScript after a collection. */
  readonly heap: number;
}

async function measureLooks(view: WebviewPage, amount: number): Promise<Measured> {
  const cdp = await view.page.context().newCDPSession(view.page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readAll = async (): Promise<(name: string) => number> => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  };
  let activity = generateActivity(sessions, looksBefore);
  await view.show(activity);
  const work: number[] = [];
  const byPart = { ScriptDuration: [], RecalcStyleDuration: [], LayoutDuration: [] } as Record<
    keyof typeof parts,
    number[]
  >;
  for (let tick = 0; tick < amount; tick += 1) {
    activity = nextActivity(activity, generateLook(sessions, looksBefore + tick));
    await view.prepareLook(activity);
    const before = await readAll();
    await cdp.send('Runtime.evaluate', { expression: 'deliver()', awaitPromise: true });
    const after = await readAll();
    const taken = (name: string) => 1_000 * (after(name) - before(name));
    work.push(taken('TaskDuration'));
    for (const part of Object.keys(parts) as (keyof typeof parts)[]) byPart[part].push(taken(part));
  }
  await cdp.send('HeapProfiler.collectGarbage');
  return { work, byPart, heap: (await readAll())('JSHeapUsedSize') };
}

const names = { pools: 'sidebar', panel: 'wide panel' } as const satisfies Partial<
  Record<keyof typeof pages, string>
>;

function rowsOf(which: keyof typeof names, { work, byPart, heap }: Measured): readonly Row[] {
  const group = 'pages';
  const name = `${names[which]}, ${sessions} sessions`;
  const method =
    'The built page in headless Chromium, under the editor’s content security policy; a sample a message, of which a third of the sessions changed their statement. Frame work is the CPU time of the page’s main thread from the message to the second frame after it: reading the message, script, style, layout and paint. The heap is JavaScript’s after a full collection.';
  return [
    {
      group,
      name: `median frame work, ${name}`,
      unit: 'ms',
      value: spreadOf([median([...work])]),
      goal: null,
      note: `${work.length} samples`,
      method,
    },
    {
      group,
      name: `p95 frame work, ${name}`,
      unit: 'ms',
      value: spreadOf([quantile([...work], 0.95)]),
      goal: 16,
      note: `${work.length} samples`,
      method,
    },
    ...Object.entries(parts).map(([part, word]): Row => ({
      group,
      name: `median frame work, ${name}, of which ${word}`,
      unit: 'ms',
      value: spreadOf([median([...byPart[part as keyof typeof parts]])]),
      goal: null,
      note: '',
      method,
    })),
    {
      group,
      name: `heap, ${name}`,
      unit: 'MB',
      value: spreadOf([heap / megabyte]),
      goal: 50,
      note: '',
      method,
    },
  ];
}
