import { describeLimits, describeSplit } from '../../activity/headroom.ts';
import type { ActivityReport } from '../../activity/snapshot.ts';
import type { PoolModel } from '../../webview/to-view.ts';

/** What the status bar shows of a connection. */
export interface HeadroomStatus {
  readonly text: string;
  /** Plain text, a line each. */
  readonly tooltip: string;
  /** For a screen reader, which would read the icon's name. */
  readonly spoken: string;
  /** Whether a threshold of the settings calls it critical. */
  readonly isCritical: boolean;
}

/** Undefined while nothing is connected. */
export function describeHeadroom({
  connection,
  activity: { report, concerns },
}: Pick<PoolModel, 'connection' | 'activity'>): HeadroomStatus | undefined {
  if (connection.kind === 'none' || connection.kind === 'untrusted') return undefined;
  if (connection.kind === 'lost')
    return {
      text: '$(debug-disconnect) Connection lost',
      tooltip: connection.sentence,
      spoken: `Poolguard: ${connection.sentence}`,
      isCritical: false,
    };
  if (report === null)
    return {
      text: '$(database) Connecting …',
      tooltip: 'Poolguard is connecting to the database.',
      spoken: 'Poolguard is connecting to the database',
      isCritical: false,
    };
  const isLive = connection.kind === 'live';
  const { used, usable, free } = report.headroom;
  return {
    text: `${isLive ? '$(database)' : '$(debug-pause)'} ${used}/${usable} connections`,
    tooltip: [
      ...concerns.map(({ sentence }) => sentence),
      ...figures(report),
      freshness(report, isLive),
    ].join('\n'),
    spoken:
      `Poolguard: ${used} of ${usable} connections used, ${free} free. ${concerns.map(({ sentence }) => sentence).join(' ')}`.trim(),
    isCritical: isLive && concerns.some(({ severity }) => severity === 'critical'),
  };
}

function figures({ headroom }: ActivityReport): readonly string[] {
  const { used, usable, free, split } = headroom;
  return [
    `${used} of ${usable} connections used, ${free} free: ${describeSplit(split)}.`,
    ...describeLimits(headroom),
  ];
}

function freshness({ takenAt }: ActivityReport, isLive: boolean): string {
  const seen = `Sampled at ${takenAt.slice(11, 19)} UTC by the server's clock.`;
  return isLive
    ? seen
    : `${seen} Figures are from the last sample; open the Poolguard sidebar to refresh.`;
}
