import type { HarmReading } from '../../database/read-harm.ts';
import { findFree } from '../preflight/cap.ts';

/** With fewer left, somebody may be turned away next. */
const fewestFree = 3;
/** So many more active sessions of others than at the start: somebody else needs the server. */
const mostNewlyActive = 5;

/** Looks at a server during an experiment. */
export interface HarmLooks {
  /** Before the experiment opened its connections. */
  readonly first: HarmReading;
  /** The look before `now`; a burst that only one of the two shows is no harm. */
  readonly previous: HarmReading;
  readonly now: HarmReading;
}

/** Why an experiment has to end for the sake of others, as a whole sentence; null while it may go on. */
export function judgeHarm({ first, previous, now }: HarmLooks): string | null {
  const { free, holder } = findFree(now);
  const before = findFree(previous);
  const active = Math.min(previous.activeOthers, now.activeOthers);
  const holdsMost = now.own > free && previous.own > before.free;
  const signs: readonly (readonly [applies: boolean, sentence: string])[] = [
    [now.blockedOthers > 0, `${sessions(now.blockedOthers)} waited for a lock of its statement.`],
    [
      now.own > 0 && free < fewestFree,
      `${holder} had only ${free} connection${free === 1 ? '' : 's'} left for others.`,
    ],
    [
      holdsMost,
      `others opened connections meanwhile, and its own ${now.own} became more than half of what ${holder} has left.`,
    ],
    [
      active > first.activeOthers + mostNewlyActive,
      `${sessions(active)} were active, ${first.activeOthers} when it began: somebody else needs the server.`,
    ],
  ];
  const [sign] = signs.filter(([applies]) => applies);
  return sign === undefined ? null : `The probe stopped: ${sign[1]}`;
}

function sessions(count: number): string {
  return `${count} other session${count === 1 ? '' : 's'}`;
}
