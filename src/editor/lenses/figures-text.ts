import { describeAge } from '../../activity/age.ts';
import type { PoolOptionValues } from '../../server/asked.ts';
import type { LastProbe, ServerFigures } from '../live-figures.ts';
import type { DeclaredSum } from './declared-sum.ts';

/** Characters of a lens; what does not fit is told by its tooltip. */
const longestTitle = 60;

/** "server allows 97 · max of 2 pools: 30 · probe 12 (8–14)": the figures that are known, as far as they fit. */
export function figuresTitle(
  { usable, isLost, lastProbe }: ServerFigures,
  declared: DeclaredSum | undefined,
): string {
  return [
    isLost ? 'connection lost' : undefined,
    ...roomTitles(usable, declared),
    lastProbe && `probe ${probeText(lastProbe)}`,
  ]
    .filter((part) => part !== undefined)
    .reduce((title, part) => {
      const longer = title === '' ? part : `${title} · ${part}`;
      return longer.length <= longestTitle ? longer : title;
    }, '');
}

function roomTitles(
  usable: number | undefined,
  declared: DeclaredSum | undefined,
): readonly (string | undefined)[] {
  const sum = declared && declaredTitle(declared);
  if (usable === undefined) return ['server not seen yet', sum];
  return sum !== undefined && declared !== undefined && declared.clients > usable
    ? [`${sum} > ${usable} allowed`]
    : [`server allows ${usable}`, sum];
}

/** "max of 2 pools: 30", "max of 2 of 3 pools: 30" where the code does not tell that of the third. */
function declaredTitle({ clients, pools, unknown, isCut }: DeclaredSum): string | undefined {
  if (pools === 0) return unknown === 0 ? undefined : `max of ${count(unknown, 'pool')} unknown`;
  const which = unknown === 0 ? count(pools, 'pool') : `${pools} of ${pools + unknown} pools`;
  return `max of ${which}: ${isCut ? 'at least ' : ''}${clients}`;
}

/** "12 (8–14)", "12" where the interval says no more. */
export function probeText({ max, interval: [low, high] }: LastProbe): string {
  return low === high && low === max ? `${max}` : `${max} (${low}–${high})`;
}

/** "Use the recommendation of the probe from 3 min ago: max: 12 (8–14), connectionTimeoutMillis: 5000" */
export function measuredTitle(
  { max, connectionTimeoutMillis: timeout }: PoolOptionValues,
  lastProbe: LastProbe,
  now: number,
): string {
  const parts = [
    max === undefined ? undefined : `max: ${probeText(lastProbe)}`,
    timeout === undefined ? undefined : `connectionTimeoutMillis: ${timeout}`,
  ];
  return `Use the recommendation of the probe from ${describeAge(Math.max(0, now - lastProbe.at))} ago: ${parts.filter((part) => part !== undefined).join(', ')}`;
}

/** "2026-11-22", by the clock of this computer. */
export function dayOf({ at }: Pick<LastProbe, 'at'>): string {
  // Sweden writes a date from the year to the day.
  return new Date(at).toLocaleDateString('sv');
}

/** Of what, where and when a recommendation was measured, in a sentence. */
export function describeProbe({
  label,
  lastProbe,
}: Pick<ServerFigures, 'label' | 'lastProbe'>): string {
  if (lastProbe === undefined) return '';
  const { statement } = lastProbe;
  const of = statement === '' ? '' : ` with ${statement}`;
  return `The last probe of ${label}, on ${dayOf(lastProbe)}${of}, recommends ${probeText(lastProbe)} for each process`;
}

/** What the figures mean, and how old they are at `now`, in whole sentences. */
export function explainFigures(
  { label, usable, seenAt, isLost, lastProbe }: ServerFigures,
  declared: DeclaredSum | undefined,
  now: number,
): string {
  const seen =
    usable === undefined || seenAt === undefined
      ? `${label} has not been seen yet.`
      : `${label} allows ordinary roles ${count(usable, 'connection')}, seen ${describeAge(now - seenAt)} ago.`;
  const sentences = [
    seen,
    isLost ? 'The connection is lost; reconnecting.' : undefined,
    ...(declared === undefined ? [] : explainDeclared(declared)),
    lastProbe === undefined
      ? 'No probe of this database has recommended a max yet.'
      : `The last probe of this database, ${describeAge(now - lastProbe.at)} ago, recommends max ${probeText(lastProbe)} for each process.`,
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

function explainDeclared({
  clients,
  pools,
  conditional,
  unknown,
  aside,
  isCut,
}: DeclaredSum): readonly (string | undefined)[] {
  return [
    pools === 0
      ? undefined
      : `The code declares ${count(clients, 'client')} in ${count(pools, 'pool')}${conditional === 0 ? '' : `, ${conditional} of which the environment can change`}; every further process that runs it adds as many.`,
    unknown === 0
      ? undefined
      : `The max of ${count(unknown, 'more pool', 'more pools')} is unknown.`,
    aside === 0
      ? undefined
      : `${count(aside, 'pool')} of tests, scripts and migrations ${aside === 1 ? 'is' : 'are'} not counted.`,
    isCut ? 'The workspace has more files than were checked.' : undefined,
  ];
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
