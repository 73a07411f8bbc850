import type { DeclaredPools } from '../../server/protocol.ts';

/** What the pools of a workspace may open together, in one process each. */
export interface DeclaredSum {
  /** Clients of the pools of which the code tells `max`. */
  readonly clients: number;
  /** How many pools these are. */
  readonly pools: number;
  /** Of these, those where the environment may say otherwise. */
  readonly conditional: number;
  /** Pools of which the code does not tell `max`. */
  readonly unknown: number;
  /** Pools of tests, scripts and migrations, which are not counted: they do not run beside the service. */
  readonly aside: number;
  /** Whether there are more files than were looked at. */
  readonly isCut: boolean;
}

export function sumOf({ pools, isCut }: DeclaredPools): DeclaredSum {
  const counted = pools.filter(({ isAside }) => !isAside);
  const known = counted.flatMap(({ max, variable }) =>
    max === undefined ? [] : [{ max, variable }],
  );
  return {
    clients: known.reduce((sum, { max }) => sum + max, 0),
    pools: known.length,
    conditional: known.filter(({ variable }) => variable !== undefined).length,
    unknown: counted.length - known.length,
    aside: pools.length - counted.length,
    isCut,
  };
}
