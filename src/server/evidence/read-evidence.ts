import { isAbsolute, resolve } from 'node:path';
import type { CodePlace } from '../../../monitor/report.ts';
import { toShortText } from '../../activity/plain-text.ts';
import {
  deepest,
  evidenceKinds,
  mostEvidence,
  mostPids,
  type Evidence,
  type RelatedPlace,
} from '../../running/evidence.ts';
import { pathOfUri } from '../path-of-document.ts';

const longestName = 60;
const longestPath = 4_000;
const longestKey = 40_000;
const largest = Number.MAX_SAFE_INTEGER;

type Told = Readonly<Record<string, unknown>>;

/** What the editor tells of run time, which it had from an application that may be anybody's: what is not of this shape is left out. */
export function readEvidence(told: unknown): readonly Evidence[] {
  return Array.isArray(told)
    ? told.slice(0, mostEvidence).flatMap((each: unknown) => readOne(each) ?? [])
    : [];
}

function readOne(told: unknown): Evidence | undefined {
  if (!isRecord(told)) return undefined;
  const kind = evidenceKinds.find((each) => each === told['kind']);
  const stack = listOf(told['stack'], deepest, readPlace);
  const [key, pool, app] = [told['key'], told['pool'], told['app']];
  const [count, longestMs, startedAt] = [told['count'], told['longestMs'], told['startedAt']].map(
    countOf,
  );
  const isComplete =
    kind !== undefined &&
    stack.length > 0 &&
    typeof key === 'string' &&
    key.length <= longestKey &&
    typeof pool === 'string' &&
    typeof app === 'string';
  if (
    !isComplete ||
    count === undefined ||
    count < 1 ||
    longestMs === undefined ||
    startedAt === undefined
  )
    return undefined;
  return {
    key,
    kind,
    stack,
    related: listOf(told['related'], 2, readRelated),
    count,
    longestMs,
    isWaitedFor: told['isWaitedFor'] === true,
    pool: nameOf(pool),
    app: nameOf(app),
    pids: listOf(told['pids'], mostPids, countOf),
    startedAt,
    hasEnded: told['hasEnded'] === true,
  };
}

function readRelated(told: unknown): RelatedPlace | undefined {
  if (!isRecord(told)) return undefined;
  const what = (['acquired', 'released'] as const).find((each) => each === told['what']);
  const place = readPlace(told['place']);
  return what && place && { what, place };
}

function readPlace(told: unknown): CodePlace | undefined {
  if (!isRecord(told) || typeof told['file'] !== 'string') return undefined;
  const file = pathOf(told['file']);
  const [line, column] = [countOf(told['line']), countOf(told['column'])];
  if (file === undefined || !line || !column) return undefined;
  return { file, line, column, function: null };
}

/** Absolute and without `..`; undefined for anything else. */
function pathOf(told: string): string | undefined {
  if (told.length > longestPath || told.includes('\0')) return undefined;
  const path = told.startsWith('file:///') ? (pathOfUri(told) ?? '') : told;
  return isAbsolute(path) ? resolve(path) : undefined;
}

/** What an application calls itself, or a pool, in one line. */
function nameOf(told: string): string {
  return toShortText(told, longestName).trim() || '?';
}

function countOf(told: unknown): number | undefined {
  return typeof told === 'number' && Number.isFinite(told) && told >= 0 && told <= largest
    ? Math.floor(told)
    : undefined;
}

function listOf<Each>(
  told: unknown,
  most: number,
  read: (each: unknown) => Each | undefined,
): readonly Each[] {
  return Array.isArray(told)
    ? told.slice(0, most).flatMap((each: unknown) => read(each) ?? [])
    : [];
}

function isRecord(value: unknown): value is Told {
  return typeof value === 'object' && value !== null;
}
