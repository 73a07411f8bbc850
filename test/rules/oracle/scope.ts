import type { Lines, Printing } from './printing.ts';

/** A name that holds a client where the program is being printed. */
export interface Holder {
  readonly name: string;
  readonly site: number;
  /** The name of a function that releases it. */
  readonly done: string | null;
  /** What the name holds when it holds no client. */
  readonly empty: 'never' | 'null' | 'undefined' | 'false';
  /** A boolean variable that says whether it was released. */
  readonly flag: string | null;
  /** False where somebody else releases it, so that no piece below does. */
  readonly mayRelease: boolean;
  readonly isAssignable: boolean;
}

export interface Scope {
  readonly holders: readonly Holder[];
  readonly labels: readonly string[];
  readonly inLoop: boolean;
  /** `break` leaves something here. */
  readonly mayBreak: boolean;
  readonly mayAwait: boolean;
  /** In a `try`, its handler or its `finally`. */
  readonly isTried: boolean;
  /** In the body of a loop, and there behind a test or in a function. */
  readonly round: 'none' | 'plain' | 'tested';
  /** Behind a test, or in a function. */
  readonly isTested: boolean;
  /** A value that is returned here reaches the caller of the whole program. */
  readonly returnsToCaller: boolean;
  /** The name of the caught error. */
  readonly error: string | null;
}

export const emptyScope: Scope = {
  holders: [],
  labels: [],
  inLoop: false,
  mayBreak: false,
  mayAwait: true,
  isTried: false,
  round: 'none',
  isTested: false,
  returnsToCaller: true,
  error: null,
};

/** A constant that holds the client of a site. */
export function createHolder(site: number, more: Partial<Holder> = {}): Holder {
  return {
    name: `client${site}`,
    site,
    done: null,
    empty: 'never',
    flag: null,
    mayRelease: true,
    isAssignable: false,
    ...more,
  };
}

/** The holder that a piece means, of those that satisfy a test; undefined when there is none. */
export function holderFor(
  scope: Scope,
  client: number,
  test: (holder: Holder) => boolean = () => true,
): Holder | undefined {
  const fitting = scope.holders.filter(test);
  return fitting[client % Math.max(1, fitting.length)];
}

export function withHolder(scope: Scope, holder: Holder): Scope {
  return { ...scope, holders: [...scope.holders, holder] };
}

/** The same scope where nobody releases what `site` lent. */
export function protecting(scope: Scope, site: number): Scope {
  return {
    ...scope,
    holders: scope.holders.map((each) =>
      each.site === site ? { ...each, mayRelease: false } : each,
    ),
  };
}

/** Inside of a function: jumps end at its border. */
export function insideFunction(scope: Scope, mayAwait: boolean): Scope {
  return {
    ...behindTest(scope),
    labels: [],
    inLoop: false,
    mayBreak: false,
    mayAwait,
    returnsToCaller: false,
  };
}

/** Where not each way through the code around comes, and not each round of a loop. */
export function behindTest(scope: Scope): Scope {
  return { ...scope, isTested: true, round: scope.round === 'none' ? 'none' : 'tested' };
}

/** Nobody waits for these lines. */
export function noteDetached(lines: Lines, { holders }: Scope, { detached }: Printing): void {
  const text = lines.join('\n');
  for (const { name, site } of holders)
    if (new RegExp(`\\b${name}\\b`, 'u').test(text)) detached.add(site);
}

/** A transaction may end here. */
export function noteEnd({ site }: Holder, scope: Scope, printing: Printing): void {
  printing.ended.add(site);
  if (scope.isTested) printing.endedBehindTest.add(site);
}
