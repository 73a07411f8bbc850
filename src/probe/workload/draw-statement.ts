import type { WorkloadStatement } from '../../database/statement.ts';
import type { RandomSource } from '../random.ts';
import type { ReadyStatement } from './ready-statements.ts';

/** The statement with values, as the one at that place of its workload. Behind a pooler it is not prepared: the next one may reach another backend. */
export function toDrawn(
  { text, parameters, writes, locks, drawValues }: ReadyStatement,
  at: number,
  isPooled: boolean,
  random: RandomSource,
): WorkloadStatement {
  return {
    text,
    at,
    ...(!isPooled && { name: `poolguard_probe_${at + 1}` }),
    ...(parameters.length > 0 && { values: drawValues(random) }),
    ...(writes && { writes: true }),
    ...(locks === true && { locks: true }),
  };
}

/** Draws a statement by weight, and values for it. */
export function createDraw(
  statements: readonly ReadyStatement[],
  isPooled: boolean,
): (random: RandomSource) => WorkloadStatement {
  const fixed = statements.map((statement, at) =>
    statement.parameters.length === 0 ? toDrawn(statement, at, isPooled, () => 0) : null,
  );
  const total = statements.reduce((sum, { weight }) => sum + weight, 0);
  const pick = (random: RandomSource) => {
    let left = random() * total;
    const at = statements.findIndex(({ weight }) => (left -= weight) < 0);
    return at === -1 ? statements.length - 1 : at;
  };
  return (random) => {
    const at = statements.length === 1 ? 0 : pick(random);
    const statement = statements[at];
    if (statement === undefined) throw new Error('A workload has at least one statement');
    return fixed[at] ?? toDrawn(statement, at, isPooled, random);
  };
}
