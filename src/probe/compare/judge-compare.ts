import { countErrors, listErrors } from '../load/pool-load.ts';
import { count, sentences, share } from '../verdict-words.ts';
import type { CompareResult, CompareRow, Strategy } from './compare-result.ts';

/** A pool that does this share of what a larger one does is no worse. */
const goodShare = 0.9;

type Verdict = CompareResult['verdict'] & {
  readonly kind: 'pool' | 'smaller-pool' | 'one-client' | 'no-answers';
};

/** What to take, judged by the most callers that ran, since that is where the ways part. */
export function judgeCompare(rows: readonly CompareRow[]): Verdict {
  const callers = Math.max(0, ...rows.map((row) => row.callers));
  const crowd = rows.filter((row) => row.callers === callers);
  const pools = crowd
    .filter(({ strategy }) => strategy === 'pool')
    .sort((one, other) => one.connections - other.connections);
  const best = pools.reduce<CompareRow | null>(
    (most, row) => (most === null || row.load.throughput > most.load.throughput ? row : most),
    null,
  );
  if (best === null || best.load.requests === 0)
    return {
      kind: 'no-answers',
      because: 'No pool answered, so there is nothing to compare with.',
    };
  const pick =
    pools.find(
      ({ load }) =>
        load.throughput >= goodShare * best.load.throughput &&
        countErrors(load.errors) <= countErrors(best.load.errors),
    ) ?? best;
  const shared = crowd.find(({ strategy }) => strategy === 'shared-client');
  const isOneEnough =
    shared !== undefined && shared.load.throughput >= goodShare * pick.load.throughput;
  const isSmaller = pick !== pools.at(-1);
  return {
    kind: isOneEnough ? 'one-client' : isSmaller ? 'smaller-pool' : 'pool',
    because: sentences([
      `With ${callers} callers a pool of ${pick.connections} answers ${perSecond(pick)}.`,
      isSmaller ? describeLarger(pick, pools.at(-1)) : null,
      ...crowd.filter(({ strategy }) => strategy !== 'pool').map((row) => describeOther(row, pick)),
      isOneEnough
        ? 'One client does as much as the pool here: what limits this statement is not the number of connections. A pool still keeps transactions apart.'
        : null,
    ]),
  };
}

function describeLarger(pick: CompareRow, larger: CompareRow | undefined): string | null {
  return larger === undefined
    ? null
    : `That is ${shareOf(pick, larger)} of what ${larger.connections} do (${perSecond(larger)}): take the smaller.`;
}

const names: Readonly<Record<Exclude<Strategy, 'pool'>, string>> = {
  'new-connection': 'A new connection for each request',
  'shared-client': 'One client for all',
  'pipelined-client': 'One pipelined client',
};

function describeOther(row: CompareRow, pick: CompareRow): string {
  const { strategy, load } = row;
  const name = strategy === 'pool' ? 'The pool' : names[strategy];
  const failed = countErrors(load.errors);
  const failures =
    failed === 0 ? '' : `, and ${count(failed)} failures (${listErrors(load.errors).join(', ')})`;
  const advice =
    strategy === 'pipelined-client' && load.throughput > pick.load.throughput
      ? ', for single statements that need no transaction'
      : '';
  return `${name}: ${perSecond(row)}, ${shareOf(row, pick)} of it${failures}${advice}.`;
}

function shareOf(row: CompareRow, of: CompareRow): string {
  return of.load.throughput === 0 ? 'many times' : share(row.load.throughput / of.load.throughput);
}

function perSecond({ load }: CompareRow): string {
  return `${count(load.throughput)} requests/s`;
}
