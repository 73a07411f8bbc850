import { createHash } from 'node:crypto';
import type {
  CodePlace,
  HeldCheckout,
  CounterSample,
  WatchedPool,
} from '../../../monitor/report.ts';
import { toPlainText, toShortText } from '../../activity/plain-text.ts';
import { poolHealth, type PoolVerdict } from '../../running/health.ts';
import { heldByPlace, type HeldPlace } from '../../running/held-by-place.ts';
import { placeKey } from '../../running/place-key.ts';
import type {
  RepeatedMistake,
  RunningApp,
  RunningApps,
  RunningPool,
} from '../../running/running-app.ts';
import type {
  RunningState,
  ShownApp,
  ShownCounters,
  ShownHeld,
  ShownMistake,
  ShownPlace,
  ShownPool,
  ShownVerdict,
} from '../../webview/running-state.ts';

/** How much of what applications say a sidebar shows. */
const most = {
  apps: 24,
  pools: 12,
  groups: 12,
  mistakes: 8,
  frames: 8,
  looks: 60,
  name: 80,
  sentence: 300,
  path: 160,
} as const;

/** How a file is called beside the code: relative to the workspace where it lies in it. */
export type LabelFile = (file: string) => string;

/** What the page shows of the applications that have a pool. Every text of theirs is plain and short in it. */
export function toRunningState(
  apps: RunningApps,
  labelFile: LabelFile,
  rest: Pick<RunningState, 'isTrusted' | 'isListening' | 'watchesTerminals' | 'at'>,
): RunningState {
  const withPools = apps.filter(({ pools }) => pools.length > 0);
  const ordered = [
    ...withPools.filter(({ end }) => end === null),
    ...withPools.filter(({ end }) => end !== null),
  ];
  return {
    ...rest,
    apps: ordered.slice(0, most.apps).map((app) => toShownApp(app, labelFile, rest.at)),
    more: Math.max(0, ordered.length - most.apps),
  };
}

/** What a page calls a place: short, whatever the path. */
export function shownKey(place: CodePlace): string {
  return createHash('sha256').update(placeKey(place)).digest('base64url').slice(0, 22);
}

/** The place that was shown under this key; undefined when nothing shows it any more. */
export function findPlace(apps: RunningApps, key: string): CodePlace | undefined {
  const places = apps.flatMap(({ pools, end }) => [
    ...(end?.out ?? []).flatMap(({ acquiredAt }) => acquiredAt),
    ...pools.flatMap(placesOf),
  ]);
  return places.find((place) => shownKey(place) === key);
}

function placesOf({ pool, held, mistakes }: RunningPool): readonly CodePlace[] {
  return [
    ...(pool.madeAt === null ? [] : [pool.madeAt]),
    ...held.flatMap(({ acquiredAt }) => acquiredAt),
    ...mistakes.flatMap(({ acquiredAt, releasedAt, misusedAt }) => [
      ...misusedAt,
      ...releasedAt,
      ...acquiredAt,
    ]),
  ];
}

function toShownApp(app: RunningApp, labelFile: LabelFile, now: number): ShownApp {
  return {
    key: app.key,
    name: toShortText(app.name, most.name),
    pid: app.pid,
    threadId: app.threadId,
    script: toShortText(app.script, most.path),
    hasEnded: app.end !== null,
    broken: app.broken === null ? null : toShortText(app.broken, most.sentence),
    pools: app.pools.slice(0, most.pools).map((pool) => toShownPool(pool, app, labelFile, now)),
  };
}

function toShownPool(
  running: RunningPool,
  { end }: RunningApp,
  labelFile: LabelFile,
  now: number,
): ShownPool {
  const { pool, look, history, mistakes } = running;
  const held = end === null ? running.held : end.out.filter((each) => each.pool === pool.id);
  return {
    id: pool.id,
    name: toShortText(pool.name, most.name),
    library: pool.library === undefined ? null : toShortText(pool.library, most.name),
    server: serverOf(pool),
    madeAt: pool.madeAt === null ? null : toShownPlace([pool.madeAt], labelFile),
    counters: look && countersOf(look),
    demand: demandOf(history.slice(-most.looks)),
    verdict: end === null ? verdictOf(running, now) : null,
    held: heldByPlace({ held }, now)
      .slice(0, most.groups)
      .map((group) => toShownHeld(group, labelFile)),
    out: held.length,
    mistakes: mistakes.slice(0, most.mistakes).map((mistake) => toShownMistake(mistake, labelFile)),
  };
}

function demandOf(looks: readonly CounterSample[]): ShownPool['demand'] {
  return {
    counts: looks.map(({ total, idle, peakWaiting }) => Math.max(0, total - idle) + peakWaiting),
    spanMs: (looks.at(-1)?.at ?? 0) - (looks[0]?.at ?? 0),
  };
}

const fine: readonly PoolVerdict[] = ['healthy', 'unused'];

function verdictOf(running: RunningPool, now: number): ShownVerdict | null {
  const { kind, sentence } = poolHealth(running, now);
  const isAlarmed = running.held.length + running.alerts.length > 0;
  return kind === 'unknown'
    ? null
    : {
        isHealthy: fine.includes(kind) && !isAlarmed,
        sentence: toShortText(sentence, most.sentence),
      };
}

function serverOf({ database, host, port }: WatchedPool): string | null {
  const place = [host, port].filter((part) => part !== null).join(':');
  return database === null && place === ''
    ? null
    : toShortText([database, place].filter(Boolean).join(' at '), most.name);
}

function countersOf({ total, idle, waiting, max }: CounterSample): ShownCounters {
  return { total, idle, waiting, max };
}

function toShownHeld({ count, checkouts }: HeldPlace, labelFile: LabelFile): ShownHeld {
  const [longest] = checkouts;
  const stack = longest?.acquiredAt ?? [];
  return {
    count,
    since: longest?.since ?? 0,
    place: stack.length === 0 ? null : toShownPlace(stack, labelFile),
    caller: stack.length < 2 ? null : toShownPlace(stack.slice(1), labelFile),
    backends: backendsOf(checkouts),
  };
}

function backendsOf(held: readonly HeldCheckout[]): string {
  return held
    .flatMap(({ backendPid }) => backendPid ?? [])
    .slice(0, most.groups)
    .join(', ');
}

const mistakeWords: Readonly<Record<RepeatedMistake['mistake'], string>> = {
  'double-release': 'Released twice',
  'use-after-release': 'Used after its release',
  'open-transaction': 'Released with its transaction open',
};

function toShownMistake(mistake: RepeatedMistake, labelFile: LabelFile): ShownMistake {
  const { misusedAt, releasedAt, acquiredAt, firstAt, count } = mistake;
  const steps = [
    ['', misusedAt],
    [mistake.mistake === 'double-release' ? 'released first at' : 'released at', releasedAt],
    ['acquired at', acquiredAt],
  ] as const;
  const known = steps.flatMap(([words, stack]) =>
    stack.length === 0 ? [] : [{ words, place: toShownPlace(stack, labelFile) }],
  );
  const different = known.filter(
    ({ place }, index) => known.findIndex((each) => each.place.key === place.key) === index,
  );
  return {
    key: `${mistake.mistake} ${firstAt} ${different[0]?.place.key ?? ''}`,
    words: mistakeWords[mistake.mistake],
    count,
    steps: different,
  };
}

/** The stack's first place, with all of it as its title. */
function toShownPlace(stack: readonly CodePlace[], labelFile: LabelFile): ShownPlace {
  const [place] = stack;
  const lines = stack
    .slice(0, most.frames)
    .map(
      (each) =>
        `${each.function === null ? '' : `${toShortText(each.function, most.name)} · `}${labelOf(each, labelFile)}`,
    );
  return place === undefined
    ? { key: '', label: '', title: '' }
    : { key: shownKey(place), label: labelOf(place, labelFile), title: lines.join('\n') };
}

/** "src/users.ts:14", plain and not too long. */
export function labelOf({ file, line }: CodePlace, labelFile: LabelFile): string {
  // The end of a path tells more than its beginning.
  const whole = labelFile(file);
  const read = whole.slice(-4 * most.path);
  const label = [...toPlainText(read)];
  return `${label.length > most.path || read.length < whole.length ? `…${label.slice(-most.path).join('')}` : label.join('')}:${line}`;
}
