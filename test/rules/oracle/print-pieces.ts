import { printAcquire } from './print-acquire.ts';
import { printChain } from './print-chain.ts';
import { printCondition } from './print-condition.ts';
import { printLend, printRelease } from './print-release.ts';
import { printTeamPiece } from './print-team.ts';
import { printSecondCheckout } from './second-checkout.ts';
import { block, freshName, indent, tryBlock, type Lines, type Printing } from './printing.ts';
import type { LeaveForm, LoopForm, Piece, QueryForm, TransactionText } from './pieces.ts';
import {
  behindTest,
  holderFor,
  insideFunction,
  noteDetached,
  noteEnd,
  withHolder,
  type Holder,
  type Scope,
} from './scope.ts';

/** The statements of a block. A piece that needs a client where none is in scope prints as nothing. */
export function printPieces(pieces: readonly Piece[], scope: Scope, printing: Printing): Lines {
  const lines: string[] = [];
  let inner = scope;
  for (const piece of pieces) {
    if (piece.kind === 'alias') {
      const holder = holderFor(inner, piece.client);
      const name = freshName('alias', printing);
      if (holder === undefined) continue;
      lines.push(`const ${name} = ${holder.name};`);
      inner = withHolder(inner, { ...holder, name, isAssignable: false });
    } else lines.push(...printPiece(piece, inner, printing));
  }
  return lines;
}

function printPiece(
  piece: Exclude<Piece, { kind: 'alias' }>,
  scope: Scope,
  printing: Printing,
): Lines {
  switch (piece.kind) {
    case 'query':
      return withClient(holderFor(scope, piece.client), (holder) =>
        printQuery(holder, piece.how, scope, printing),
      );
    case 'transaction':
      return withClient(holderFor(scope, piece.client), (holder) =>
        printTransaction(holder, piece.text, scope, printing),
      );
    case 'work':
      return [scope.mayAwait && piece.how === 'awaited' ? 'await work();' : "log('work');"];
    case 'release':
      return withClient(
        holderFor(scope, piece.client, ({ mayRelease }) => mayRelease),
        (holder) => printRelease(holder, piece.how, scope, printing),
      );
    case 'lend':
      return withClient(holderFor(scope, piece.client), (holder) =>
        printLend(holder, piece.how, scope, printing),
      );
    case 'acquire':
      return scope.mayAwait ? printAcquire(piece, scope, printing) : [];
    case 'chain':
      return withClient(holderFor(scope, piece.client), (holder) =>
        printChain(holder, piece, scope, printing),
      );
    case 'query with callback':
      return withClient(holderFor(scope, piece.client), (holder) =>
        printCallbackQuery(holder, piece, scope, printing),
      );
    case 'team':
      return scope.mayAwait ? printTeamPiece(piece, scope, printing) : [];
    case 'second checkout':
      return withClient(scope.mayAwait ? holderFor(scope, piece.client) : undefined, ({ site }) => {
        printing.nested.add(site);
        return printSecondCheckout(piece.how, site, printing);
      });
    case 'hand over':
    case 'clear':
    case 'set flag':
    case 'fill':
      return printAssignment(piece, scope, printing);
    default:
      return printControl(piece, scope, printing);
  }
}

function withClient(holder: Holder | undefined, print: (holder: Holder) => Lines): Lines {
  return holder === undefined ? [] : print(holder);
}

function printQuery(
  { name, empty }: Holder,
  how: QueryForm,
  scope: Scope,
  printing: Printing,
): Lines {
  const call = `${name}.query('SELECT 1')`;
  const condition = empty === 'never' ? '' : `if (${name}) `;
  if (!scope.mayAwait) return [`${condition}${call};`];
  switch (how) {
    case 'awaited':
      return [`${condition}await ${call};`];
    case 'assigned':
      return [
        `const ${freshName('result', printing)} = ${empty === 'never' ? '' : `${name} && `}await ${call};`,
      ];
    case 'returned':
      return [`${condition}return await ${call};`];
    case 'swallowed':
      return [`${condition}await ${call}.catch(() => null);`];
    case 'floating':
      return [`${condition}${call};`];
    case 'promise awaited later': {
      const promise = freshName('promise', printing);
      return empty === 'never'
        ? [`const ${promise} = ${call};`, 'log(1);', `await ${promise};`]
        : [`${condition}await ${call};`];
    }
  }
}

function printTransaction(
  holder: Holder,
  text: TransactionText,
  scope: Scope,
  printing: Printing,
): Lines {
  const { name, empty } = holder;
  if (text !== 'BEGIN') noteEnd(holder, scope, printing);
  const condition = empty === 'never' ? '' : `if (${name}) `;
  return [`${condition}${scope.mayAwait ? 'await ' : ''}${name}.query('${text}');`];
}

function printCallbackQuery(
  { name, empty }: Holder,
  piece: Piece & { kind: 'query with callback' },
  scope: Scope,
  printing: Printing,
): Lines {
  const inner = insideFunction(scope, false);
  const onError = [
    ...printPieces(piece.onError, inner, printing),
    ...(piece.leavesOnError ? ['return callback(error);'] : []),
  ];
  const body = [...block('if (error)', onError), ...printPieces(piece.rest, inner, printing)];
  noteDetached(body, scope, printing);
  return block(
    `${empty === 'never' ? '' : `if (${name}) `}${name}.query('SELECT 1', (error, result) =>`,
    body,
    '});',
  );
}

type Assignment = Piece & { readonly kind: 'hand over' | 'clear' | 'set flag' | 'fill' };

function printAssignment(piece: Assignment, scope: Scope, printing: Printing): Lines {
  switch (piece.kind) {
    case 'hand over':
      return withClient(
        holderFor(scope, piece.client, ({ mayRelease }) => mayRelease),
        ({ name }) => [handingOver[scope.returnsToCaller ? piece.how : 'field'](name)],
      );
    case 'clear':
      return withClient(
        holderFor(
          scope,
          piece.client,
          ({ isAssignable, empty }) => isAssignable && empty === 'null',
        ),
        ({ name }) => [`${name} = null;`],
      );
    case 'set flag':
      // A callback may run after the tests of the flag, which the analysis does not model.
      return withClient(
        holderFor(
          scope,
          piece.client,
          ({ flag }) => scope.mayAwait && (flag?.startsWith('released') ?? false),
        ),
        ({ flag }) => [`${flag ?? ''} = ${piece.value};`],
      );
    case 'fill': {
      const holder = scope.mayAwait
        ? holderFor(
            scope,
            piece.client,
            ({ isAssignable, mayRelease }) => isAssignable && mayRelease,
          )
        : undefined;
      return withClient(holder, ({ name, site }) => {
        printing.filledInto.set(++printing.sites, site);
        return [`${name} = await pool${printing.sites}.connect();`];
      });
    }
  }
}

const handingOver: Readonly<
  Record<(Piece & { kind: 'hand over' })['how'], (name: string) => string>
> = {
  returned: (name) => `return ${name};`,
  'returned in an object': (name) => `return { client: ${name}, rows: [] };`,
  field: (name) => `holder.client = ${name};`,
  registry: (name) => `registry.push(${name});`,
  'outer variable': (name) => `shared = ${name};`,
};

type Control = Piece & { readonly kind: 'if' | 'switch' | 'loop' | 'try' | 'leave' };

function printControl(piece: Control, scope: Scope, printing: Printing): Lines {
  switch (piece.kind) {
    case 'if': {
      const inner = behindTest(scope);
      const then = block(
        `if (${printCondition(piece.condition, scope)})`,
        printPieces(piece.then, inner, printing),
        piece.otherwise.length > 0 ? '} else {' : '}',
      );
      return piece.otherwise.length > 0
        ? [...then, ...indent(printPieces(piece.otherwise, inner, printing)), '}']
        : then;
    }
    case 'switch':
      return printSwitch(piece, scope, printing);
    case 'loop':
      return printLoop(piece.how, piece.body, scope, printing);
    case 'try':
      return printTry(piece, scope, printing);
    case 'leave':
      return [leave(piece.how, scope)];
  }
}

function printSwitch(
  { cases }: Piece & { kind: 'switch' },
  scope: Scope,
  printing: Printing,
): Lines {
  const byDefault = cases.findIndex(({ isDefault }) => isDefault);
  const body = cases.flatMap(({ body, breaks }, index) =>
    block(index === byDefault ? 'default:' : `case ${index}:`, [
      ...printPieces(body, { ...behindTest(scope), mayBreak: true }, printing),
      ...(breaks ? ['break;'] : []),
    ]),
  );
  return block('switch (pick())', body);
}

function printTry(
  { body, handler, rethrows, finalizer }: Piece & { kind: 'try' },
  scope: Scope,
  printing: Printing,
): Lines {
  const inner = { ...scope, isTried: true };
  const tried = printPieces(body, inner, printing);
  const caught =
    handler === null
      ? null
      : {
          head: 'catch (error)',
          body: [
            ...printPieces(handler, { ...inner, error: 'error' }, printing),
            ...(rethrows ? ['throw error;'] : []),
          ],
        };
  return tryBlock(
    tried,
    caught,
    finalizer === null ? null : printPieces(finalizer, inner, printing),
  );
}

/** Every loop ends after two rounds at most. */
function printLoop(how: LoopForm, body: readonly Piece[], scope: Scope, printing: Printing): Lines {
  const label = freshName('loop', printing);
  const inner = printPieces(
    body,
    {
      ...scope,
      round: scope.round === 'none' ? 'plain' : 'tested',
      inLoop: true,
      mayBreak: true,
      labels: how === 'labelled' ? [...scope.labels, label] : scope.labels,
    },
    printing,
  );
  switch (how) {
    case 'for of':
      return block('for (const item of options.items)', inner);
    case 'labelled':
      return block(`${label}: for (const item of options.items)`, inner);
    case 'while':
      return block('while (more())', inner);
    case 'do while':
      return block('do', inner, '} while (more());');
    case 'for':
      return block('for (let round = 0; round < options.items.length; round++)', inner);
    case 'for ever':
      return block('for (;;)', ['if (!more()) break;', ...inner]);
  }
}

function leave(how: LeaveForm, scope: Scope): string {
  const label = scope.labels.at(-1);
  switch (how) {
    case 'break':
      return scope.mayBreak ? 'break;' : 'return;';
    case 'continue':
      return scope.inLoop ? 'continue;' : 'return;';
    case 'labelled break':
      return label === undefined ? 'return;' : `break ${label};`;
    case 'labelled continue':
      return label === undefined ? 'return;' : `continue ${label};`;
    case 'return':
      return 'return;';
    case 'return value':
      return 'return { rows: [] };';
    case 'throw':
      return "throw new Error('thrown');";
  }
}
