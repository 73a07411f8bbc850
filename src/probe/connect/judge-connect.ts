import { milliseconds, sentences } from '../verdict-words.ts';
import { type ConnectPath, type ConnectPhase, connectPhases } from './connect-result.ts';

export interface ConnectVerdict {
  readonly kind: 'pooler-saves' | 'pooler-saves-little' | 'direct-only' | 'no-connection';
  readonly because: string;
}

/** Less than this is not worth another program in between for the sake of connecting. */
const worthSaving = 0.5;

const phaseWords: Readonly<Record<ConnectPhase, string>> = {
  dns: 'name look-up',
  tcp: 'TCP',
  tls: 'TLS',
  authentication: 'authentication',
  firstQuery: 'the first query',
};

export function judgeConnect(paths: readonly ConnectPath[]): ConnectVerdict {
  const direct = paths.find(({ name }) => name === 'direct');
  const pooler = paths.find(({ name }) => name === 'pooler');
  const [slow, fast] = [averageOf(direct), averageOf(pooler)];
  if (slow === null && fast === null)
    return { kind: 'no-connection', because: 'No connection could be made.' };
  if (direct === undefined || slow === null)
    return { kind: 'no-connection', because: 'No direct connection could be made.' };
  const cost = sentences([describeCost(direct, slow), describeStorm(direct, slow)]);
  if (pooler === undefined)
    return {
      kind: 'direct-only',
      because: `${cost} A pool in the application pays this once for each client; a connection for each request pays it every time.`,
    };
  if (fast === null)
    return {
      kind: 'direct-only',
      because: `${cost} Through the pooler no connection could be made.`,
    };
  const saved = 1 - fast / slow;
  const comparison = `Through the pooler it costs ${milliseconds(fast)}, ${Math.abs(Math.round(saved * 100))} % ${saved >= 0 ? 'less' : 'more'}.`;
  return {
    kind: saved >= worthSaving ? 'pooler-saves' : 'pooler-saves-little',
    because: sentences([cost, comparison, describeStorm(pooler, fast)]),
  };
}

function averageOf(path: ConnectPath | undefined): number | null {
  return path?.sequential.total?.averageMs ?? null;
}

function describeCost({ sequential }: ConnectPath, average: number): string {
  const phases = connectPhases.flatMap((phase) => {
    const ms = sequential.phases[phase]?.averageMs;
    return ms === undefined ? [] : [{ phase, ms }];
  });
  const total = phases.reduce((sum, { ms }) => sum + ms, 0);
  const largest = phases.reduce(
    (most, each) => (each.ms > most.ms ? each : most),
    phases[0] ?? { phase: 'tcp' as const, ms: 0 },
  );
  return `A new connection costs ${milliseconds(average)} on average, ${Math.round((100 * largest.ms) / Math.max(total, Number.EPSILON))} % of it for ${phaseWords[largest.phase]}.`;
}

/** What becomes of it when many come at once. */
function describeStorm({ concurrent }: ConnectPath, average: number): string | null {
  if (concurrent.total === null || concurrent.at < 2) return null;
  return `With ${concurrent.at} at once each takes ${milliseconds(concurrent.total.averageMs)}, ${(concurrent.total.averageMs / average).toFixed(1)} times as long: ${Math.round(concurrent.perSecond).toLocaleString('en-US')} connections a second is what there is.`;
}
