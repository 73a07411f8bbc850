import { describePlace, isLoopback, type ConnectionTarget } from '../../database/target.ts';
import { toPlainText } from '../../activity/plain-text.ts';
import type { ConnectionState } from '../../webview/to-view.ts';
import type { SavedConnection } from './saved-state.ts';

/** How a row looks; icons and colours by the editor's names. */
export interface ConnectionRow {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly icon: 'lock' | 'unlock' | 'database';
  readonly color: string | undefined;
}

export function describeTls({ tls }: Pick<ConnectionTarget, 'tls'>): string {
  return { verify: 'TLS verified', 'no-verify': 'TLS, not verified', off: 'no TLS' }[tls];
}

const stateWords: Readonly<Record<ConnectionState['kind'], string | undefined>> = {
  untrusted: undefined,
  none: undefined,
  connecting: 'connecting',
  live: 'live',
  paused: 'paused',
  lost: 'lost',
};
const stateColors: Readonly<Record<ConnectionState['kind'], string | undefined>> = {
  untrusted: undefined,
  none: undefined,
  connecting: 'charts.yellow',
  live: 'charts.green',
  paused: 'charts.yellow',
  lost: 'charts.red',
};

/** The row of a saved connection; with the state of the open one when it is that. */
export function toRow(
  { name, target }: SavedConnection,
  state: ConnectionState | undefined,
): ConnectionRow {
  const word = state && stateWords[state.kind];
  const place = toPlainText(`${target.user}@${describePlace(target)}`);
  const described = `${word === undefined ? '' : `${word} · `}${place} · ${describeTls(target)}`;
  const retry =
    state?.kind === 'lost' ? `\n${state.sentence}\n${describeRetry(state.retryInMs)}` : '';
  return {
    label: toPlainText(name),
    description: described,
    tooltip: `${toPlainText(name)}: database ${toPlainText(target.database)}, ${described}${retry}`,
    icon: tlsIcon(target),
    color: state && stateColors[state.kind],
  };
}

function describeRetry(retryInMs: number | null): string {
  return retryInMs === null
    ? 'Poolguard does not retry.'
    : `Retrying in ${Math.ceil(retryInMs / 1000)} s.`;
}

/** On this machine nothing travels, so that no lock stands open. */
function tlsIcon({ tls, host }: ConnectionTarget): ConnectionRow['icon'] {
  if (tls === 'verify') return 'lock';
  return tls === 'off' && isLoopback(host) ? 'database' : 'unlock';
}
