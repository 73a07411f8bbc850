import type { Program } from './pieces.ts';
import { printStages } from './print-chain.ts';
import { printPieces } from './print-pieces.ts';
import { block, createPrinting, indent, type Lines, type Printing } from './printing.ts';
import type { Team } from './teams.ts';
import {
  createHolder,
  emptyScope,
  insideFunction,
  withHolder,
  type Holder,
  type Scope,
} from './scope.ts';

export interface PrintedProgram {
  /** Functions beside the one in question, and the function itself, called `subject`. */
  readonly text: string;
  /** What calls it. */
  readonly call: string;
  /** The n-th acquire checks out of `pool<n>`. */
  readonly sites: number;
  /** Sites whose client the program itself releases somewhere. */
  readonly released: ReadonlySet<number>;
  /** Sites whose client was lent to a function. */
  readonly lent: ReadonlySet<number>;
  /** Sites whose client is in sight of a function that another function gets. */
  readonly captured: ReadonlySet<number>;
  /** Sites whose client is used or released in a callback, or in a chain that nobody waits for. */
  readonly detached: ReadonlySet<number>;
  /** Sites whose client is released under a test that may let it happen only once. */
  readonly doubtful: ReadonlySet<number>;
  /** Sites whose pool is asked for a second client on purpose. */
  readonly nested: ReadonlySet<number>;
  /** Sites whose client an object carries. */
  readonly carried: ReadonlySet<number>;
  /** Sites whose client is given to functions that release it on some way. */
  readonly trusted: ReadonlySet<number>;
  /** Sites whose client is sent the end of a transaction. */
  readonly ended: ReadonlySet<number>;
  /** Sites of which some way only ends the transaction. */
  readonly endedBehindTest: ReadonlySet<number>;
  /** The first site whose client the same variable holds. */
  readonly variableOf: (site: number) => number;
}

const noTeam: Team = { members: [] };
const parameters = ['p', 'q', 'given', 'options', 'callback'];

export function printProgram(program: Program): PrintedProgram {
  const printing = createPrinting(program.style === 'async' ? program.team : noTeam);
  const body = printBody(program, printing);
  const used = parameters
    .filter((name) => new RegExp(`\\b${name}\\b`, 'u').test(body.join('\n')))
    .join(', ');
  const subject = block(
    `${program.style === 'async' ? 'async ' : ''}function subject(${used})`,
    body,
  );
  return {
    text: [...printing.helpers.values(), ...subject].join('\n'),
    call: `subject(${used})`,
    sites: printing.sites,
    released: withFilled(printing.released, printing),
    lent: withFilled(printing.lent, printing),
    captured: withFilled(printing.captured, printing),
    detached: withFilled(printing.detached, printing),
    doubtful: withFilled(printing.doubtful, printing),
    nested: withFilled(printing.nested, printing),
    carried: withFilled(printing.carried, printing),
    trusted: withFilled(printing.trusted, printing),
    ended: printing.ended,
    endedBehindTest: withFilled(printing.endedBehindTest, printing),
    variableOf: (site) => printing.filledInto.get(site) ?? site,
  };
}

/** What is done with a variable may be done with each client that it holds. */
function withFilled(sites: ReadonlySet<number>, { filledInto }: Printing): ReadonlySet<number> {
  const filled = [...filledInto].filter(([, variable]) => sites.has(variable));
  return new Set([...sites, ...filled.map(([site]) => site)]);
}

function printBody(program: Program, printing: Printing): Lines {
  switch (program.style) {
    case 'async':
      return printPieces(program.pieces, emptyScope, printing);
    case 'chain':
      return printWholeChain(program, printing);
    case 'callback':
      return printCallback(program, printing);
  }
}

function firstHolder(printing: Printing, done: string | null): Holder {
  return createHolder(++printing.sites, { done });
}

/** `return pool1.connect().then((client1) => client1.query('SELECT 1')…)…;` */
function printWholeChain(
  { inner, outer }: Program & { style: 'chain' },
  printing: Printing,
): Lines {
  const holder = firstHolder(printing, null);
  const scope = insideFunction(withHolder(emptyScope, holder), false);
  const query = [
    `return ${holder.name}.query('SELECT 1')`,
    ...indent(printStages(inner, scope, printing)),
  ];
  const lines = [
    ...block(`return pool${holder.site}.connect().then((${holder.name}) =>`, ended(query), '})'),
    ...indent(printStages(outer, insideFunction(emptyScope, false), printing)),
  ];
  return ended(lines);
}

function printCallback({ pieces }: Program & { style: 'callback' }, printing: Printing): Lines {
  const holder = firstHolder(printing, 'done1');
  const scope: Scope = insideFunction(withHolder(emptyScope, holder), false);
  return block(
    `pool${holder.site}.connect((error, ${holder.name}, done1) =>`,
    ['if (error) return callback(error);', ...printPieces(pieces, scope, printing)],
    '});',
  );
}

function ended(lines: Lines): Lines {
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''};`];
}
