import type { ActivityModel } from '../activity/activity-model.ts';
import { sessionColumns, type SessionListChoice } from '../activity/session-list.ts';
import type { ProbePlan, SizeResult, SizeMeasurement } from '../probe/result.ts';
import { fillActivity, type LeanActivity } from './lean-activity.ts';
import type { PoolerState } from './pooler-messages.ts';
import type { RunningState } from './running-messages.ts';

/** Seconds between two looks at the server. */
export const intervals = [1, 2, 5, 10] as const;
export type IntervalSeconds = (typeof intervals)[number];

/** All that a view shows. The extension host owns it; a view that was killed is filled again with one message. */
export interface PoolModel {
  readonly connection: ConnectionState;
  readonly activity: ActivityModel;
  readonly probe: ProbeState;
  readonly intervalSeconds: IntervalSeconds;
  readonly pooler: PoolerState;
  readonly running: RunningState;
}

export type ConnectionState =
  /** Restricted Mode: no connection is made. */
  | { readonly kind: 'untrusted' }
  | { readonly kind: 'none'; /** Number of saved connections. */ readonly saved: number }
  | { readonly kind: 'connecting'; readonly label: string }
  | { readonly kind: 'live'; readonly label: string }
  | { readonly kind: 'paused'; readonly label: string }
  | {
      readonly kind: 'lost';
      readonly label: string;
      readonly sentence: string;
      /** Null when it is not tried again by itself. */ readonly retryInMs: number | null;
    };

export type ProbeState =
  | { readonly kind: 'idle' }
  /** Nothing is done before somebody agrees. */
  | {
      readonly kind: 'planned';
      /** The database, without its password. */ readonly label: string;
      readonly plan: ProbePlan;
    }
  | {
      readonly kind: 'running';
      /** 0 to 1 */ readonly fraction: number;
      readonly doing: string;
      readonly sizes: readonly SizeMeasurement[];
    }
  /** Asked to stop; its connections are being closed. */
  | { readonly kind: 'cancelling' }
  | { readonly kind: 'result'; readonly result: SizeResult }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly sentence: string };

export type ToView =
  | {
      readonly kind: 'model';
      readonly model: PoolModel;
      /** How long ago the server was last looked at; null for never. */ readonly seenAgoMs:
        number | null;
    }
  /** Right after a look, to a page that has been sent the one before. */
  | { readonly kind: 'activity'; readonly activity: LeanActivity }
  | {
      readonly kind: 'connection';
      readonly connection: ConnectionState;
      readonly intervalSeconds: IntervalSeconds;
    }
  | { readonly kind: 'probe'; readonly probe: ProbeState }
  | { readonly kind: 'pooler'; readonly pooler: PoolerState }
  | { readonly kind: 'running'; readonly running: RunningState }
  | { readonly kind: 'reveal'; readonly section: 'sessions' | 'probe' };

export type FromView =
  | { readonly kind: 'ready' }
  | { readonly kind: 'interval'; readonly seconds: IntervalSeconds }
  | { readonly kind: 'open'; readonly section: 'sessions' | 'probe' }
  | SessionRequest
  | PoolRequest
  /** A line of code that is shown; the host looks its key up among those that it has shown. */
  | { readonly kind: 'code-place'; readonly key: string }
  /** The list as the page shows it; the host makes it again from its own last snapshot. */
  | { readonly kind: 'export'; readonly to: ExportPlace; readonly list: SessionListChoice }
  /** To the plan that is shown. */
  | {
      readonly kind: 'agree';
      /** Whether probes of this database need not be asked for again. */ readonly isForGood: boolean;
    }
  | { readonly kind: ViewAction };

/** Something to do with one session. The host looks the session up in its last snapshot and refuses when it is not there. */
export interface SessionRequest {
  readonly kind: 'session';
  readonly action: SessionAction;
  /** `sessionKey` */
  readonly key: string;
}

export const exportPlaces = ['clipboard', 'file'] as const;
export type ExportPlace = (typeof exportPlaces)[number];

export const sessionActions = ['copy', 'copy-row', 'show-code', 'cancel', 'terminate'] as const;
/** What a view may ask for with a session. */
export type SessionAction = (typeof sessionActions)[number];

/** Something to do with one pool of the last snapshot. */
export interface PoolRequest {
  readonly kind: 'pool';
  readonly action: PoolAction;
  /** `PoolGroup.key` */
  readonly key: string;
}

export const poolActions = ['show-code'] as const;
/** What a view may ask for with a pool. */
export type PoolAction = (typeof poolActions)[number];

export const viewActions = [
  'connect',
  'reconnect',
  'trust',
  'pause',
  'resume',
  'probe',
  'probe-again',
  'cancel-probe',
  'copy-snippet',
  'copy-pooler-settings',
  'write-options',
  'export-probe',
  'open-pooler',
  'run-watched',
  'watch-terminals',
  'unwatch-terminals',
] as const;
/** What a view may ask for without an argument. */
export type ViewAction = (typeof viewActions)[number];

/** A view runs in a browser that shows hostile text, so that nothing it sends is taken on trust: the message, or undefined when it is none of ours. */
export function parseFromView(value: unknown): FromView | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  const { kind } = value;
  const parse =
    typeof kind === 'string' && Object.hasOwn(parsers, kind) ? parsers[kind] : undefined;
  if (parse !== undefined) return parse(value);
  const action = viewActions.find((each) => each === kind);
  return action && { kind: action };
}

/** For each message with an argument, and for the first one of a page. */
const parsers: Readonly<Record<string, (value: object) => FromView | undefined>> = {
  ready: () => ({ kind: 'ready' }),
  interval: parseInterval,
  open: parseOpen,
  session: parseSession,
  pool: parsePool,
  'code-place': (value) =>
    'key' in value && typeof value.key === 'string'
      ? { kind: 'code-place', key: value.key }
      : undefined,
  export: parseExport,
  agree: (value) => ({
    kind: 'agree',
    isForGood: 'isForGood' in value && value.isForGood === true,
  }),
};

/** The allowed interval nearest to what a settings file says, which may be anything. */
export function toInterval(value: unknown): IntervalSeconds {
  return intervals.find((each) => each === value) ?? 2;
}

function parseInterval(value: object): FromView | undefined {
  const seconds = intervals.find((each) => 'seconds' in value && each === value.seconds);
  return seconds && { kind: 'interval', seconds };
}

function parseOpen(value: object): FromView | undefined {
  if (!('section' in value)) return undefined;
  const { section } = value;
  return section === 'sessions' || section === 'probe' ? { kind: 'open', section } : undefined;
}

function parseSession(value: object): FromView | undefined {
  if (!('action' in value) || !('key' in value) || typeof value.key !== 'string') return undefined;
  const action = sessionActions.find((each) => each === value.action);
  return action && { kind: 'session', action, key: value.key };
}

function parsePool(value: object): FromView | undefined {
  if (!('action' in value) || !('key' in value) || typeof value.key !== 'string') return undefined;
  const action = poolActions.find((each) => each === value.action);
  return action && { kind: 'pool', action, key: value.key };
}

function parseExport(value: object): FromView | undefined {
  const to = exportPlaces.find((each) => 'to' in value && each === value.to);
  const list = 'list' in value ? parseListChoice(value.list) : undefined;
  return to && list && { kind: 'export', to, list };
}

const longestFilter = 1_000;

/** What a page or its kept state says of a list, or undefined when it says something else. */
export function parseListChoice(value: unknown): SessionListChoice | undefined {
  if (!isRecord(value) || !isRecord(value['order'])) return undefined;
  const { filter, hidesIdle, order } = value;
  const column = sessionColumns.find((each) => each === order['column']);
  const { isDescending } = order;
  if (
    column === undefined ||
    typeof filter !== 'string' ||
    filter.length > longestFilter ||
    typeof hidesIdle !== 'boolean' ||
    typeof isDescending !== 'boolean'
  )
    return undefined;
  return { order: { column, isDescending }, filter, hidesIdle };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The model after one message from the host. */
export function applyToModel(model: PoolModel, message: ToView): PoolModel {
  switch (message.kind) {
    case 'model':
      return message.model;
    case 'activity':
      return {
        ...model,
        activity: fillActivity(message.activity, model.activity) ?? model.activity,
      };
    case 'connection':
      return { ...model, connection: message.connection, intervalSeconds: message.intervalSeconds };
    case 'probe':
      return { ...model, probe: message.probe };
    case 'pooler':
      return { ...model, pooler: message.pooler };
    case 'running':
      return { ...model, running: message.running };
    case 'reveal':
      return model;
  }
}
