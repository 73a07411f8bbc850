import * as v from 'valibot';
import type { ActivityModel, PoolPast, PoolRow } from '../activity/activity-model.ts';
import type { BlockingNode } from '../activity/blocking.ts';
import type { Concern } from '../activity/concern.ts';
import { intervals, type Headroom, type ServerFacts, type Session } from '../activity/snapshot.ts';
import type { SizeMeasurement, SizeResult } from '../probe/result.ts';
import { given, number, range, text, type OutputOf } from '../schema/fields.ts';
import { ColumnLayout } from './column-layout.ts';
import { fillActivity, type LeanSession } from './lean-activity.ts';
import { PoolerState } from './to-pooler-page.ts';
import { History, RunningState } from './running-state.ts';

const ConnectionState = v.variant('kind', [
  /** Restricted Mode: no connection is made. */
  v.object({ kind: v.literal('untrusted') }),
  v.object({ kind: v.literal('none'), /** Number of saved connections. */ saved: number }),
  v.object({ kind: v.picklist(['connecting', 'live', 'paused']), label: text }),
  v.object({
    kind: v.literal('lost'),
    label: text,
    sentence: text,
    /** Null when it is not tried again by itself. */
    retryInMs: v.nullable(number),
  }),
]);
export type ConnectionState = OutputOf<typeof ConnectionState>;

const ProbeState = v.variant('kind', [
  v.object({ kind: v.literal('idle') }),
  /** Nothing is done before somebody agrees to the plan, which a dialog shows. */
  v.object({ kind: v.literal('planned') }),
  v.object({
    kind: v.literal('running'),
    /** 0 to 1 */
    fraction: number,
    doing: text,
    sizes: v.array(given<SizeMeasurement>()),
  }),
  /** Asked to stop; its connections are being closed. */
  v.object({ kind: v.literal('cancelling') }),
  v.object({ kind: v.literal('result'), result: given<SizeResult>() }),
  v.object({ kind: v.literal('cancelled') }),
  v.object({ kind: v.literal('failed'), sentence: text }),
]);
export type ProbeState = OutputOf<typeof ProbeState>;

const ProbeRun = v.object({
  /** Milliseconds since 1970. */
  at: number,
  max: number,
  interval: range,
  /** The version of PostgreSQL. */
  server: text,
});
export type ProbeRun = OutputOf<typeof ProbeRun>;

/** What the probes of one statement recommended. */
const ProbeHistory = v.object({
  /** Without its literals. */
  statement: text,
  /** The newest first. */
  runs: v.array(ProbeRun),
});
export type ProbeHistory = OutputOf<typeof ProbeHistory>;

/**
 * The lists and objects of a sample, not what stands in them: the extension that made them has the version of the page. Each field of 500
 * sessions would take 1 to 4 ms of each sample, this takes 0.1 ms at most.
 */
function activityOf<Seen extends object>() {
  return v.object({
    report: v.nullable(
      v.object({
        schemaVersion: v.literal(1),
        takenAt: text,
        server: given<ServerFacts>(),
        headroom: given<Headroom>(),
        sessions: v.array(given<Seen>()),
      }),
    ),
    concerns: v.array(given<Concern>()),
    pools: v.array(given<PoolRow>()),
    absent: v.array(given<PoolPast>()),
    blocking: v.array(given<BlockingNode>()),
    history: History,
    times: v.array(number),
    places: given<ActivityModel['places']>(),
    holders: given<ActivityModel['holders']>(),
  });
}

/** All that a view shows. The extension host owns it; a view that was killed is filled again with one message. */
const PoolModel = v.object({
  connection: ConnectionState,
  activity: activityOf<Session>(),
  probe: ProbeState,
  /** Of the statement that was probed last on the connected database; null when there is none. */
  history: v.nullable(ProbeHistory),
  intervalSeconds: v.picklist(intervals),
  columns: ColumnLayout,
  pooler: PoolerState,
  running: RunningState,
});
export type PoolModel = OutputOf<typeof PoolModel>;

export const ToView = v.variant('kind', [
  v.object({
    kind: v.literal('model'),
    model: PoolModel,
    /** How long ago the server was last looked at; null for never. */
    seenAgoMs: v.nullable(number),
  }),
  /** Right after a sample, to a page that has been sent the one before. */
  v.object({ kind: v.literal('activity'), activity: activityOf<LeanSession>() }),
  v.object({
    kind: v.literal('connection'),
    connection: ConnectionState,
    intervalSeconds: v.picklist(intervals),
  }),
  v.object({ kind: v.literal('probe'), probe: ProbeState }),
  v.object({ kind: v.literal('history'), history: v.nullable(ProbeHistory) }),
  v.object({ kind: v.literal('pooler'), pooler: PoolerState }),
  v.object({ kind: v.literal('running'), running: RunningState }),
  v.object({ kind: v.literal('reveal'), section: v.picklist(['sessions', 'probe']) }),
]);
export type ToView = OutputOf<typeof ToView>;

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
