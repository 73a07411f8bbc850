import type { ActivityModel } from '../activity/activity-model.ts';
import { intervals, type IntervalSeconds } from '../activity/snapshot.ts';
import type { SizeResult, SizeMeasurement } from '../probe/result.ts';
import { fillActivity, type LeanActivity } from './lean-activity.ts';
import type { PoolerState } from './pooler-messages.ts';
import type { RunningState } from './running-messages.ts';

/** All that a view shows. The extension host owns it; a view that was killed is filled again with one message. */
export interface PoolModel {
  readonly connection: ConnectionState;
  readonly activity: ActivityModel;
  readonly probe: ProbeState;
  /** Of the statement that was probed last on the connected database; null when there is none. */
  readonly history: ProbeHistory | null;
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
  /** Nothing is done before somebody agrees to the plan, which a dialog shows. */
  | { readonly kind: 'planned' }
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

/** What the probes of one statement recommended. */
export interface ProbeHistory {
  /** Without its literals. */
  readonly statement: string;
  /** The newest first. */
  readonly runs: readonly ProbeRun[];
}

export interface ProbeRun {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly max: number;
  readonly interval: readonly [low: number, high: number];
  /** The version of PostgreSQL. */
  readonly server: string;
}

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
  | { readonly kind: 'history'; readonly history: ProbeHistory | null }
  | { readonly kind: 'pooler'; readonly pooler: PoolerState }
  | { readonly kind: 'running'; readonly running: RunningState }
  | { readonly kind: 'reveal'; readonly section: 'sessions' | 'probe' };

export const sessionActions = ['copy', 'copy-row', 'show-code', 'cancel', 'terminate'] as const;
/** What a view may ask for with a session. */
export type SessionAction = (typeof sessionActions)[number];

/** The interval that is chosen, which may be anything. */
export function toInterval(value: unknown): IntervalSeconds {
  return intervals.find((each) => each === value) ?? 2;
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
    case 'history':
      return { ...model, history: message.history };
    case 'pooler':
      return { ...model, pooler: message.pooler };
    case 'running':
      return { ...model, running: message.running };
    case 'reveal':
      return model;
  }
}
