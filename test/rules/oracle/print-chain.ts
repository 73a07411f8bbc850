import type { Piece, Stage } from './pieces.ts';
import { printPieces } from './print-pieces.ts';
import { block, indent, type Lines, type Printing } from './printing.ts';
import { insideFunction, noteDetached, type Holder, type Scope } from './scope.ts';

/** `await client.query('SELECT 1').then(…).catch(…).finally(…);` */
export function printChain(
  holder: Holder,
  { stages, isReturned }: Piece & { kind: 'chain' },
  scope: Scope,
  printing: Printing,
): Lines {
  // Without `await`, the handlers of a chain run after every `finally` around it, which the analysis does not model.
  if (!scope.mayAwait && scope.isTried) return [];
  const how = `${isReturned ? 'return ' : ''}${scope.mayAwait ? 'await ' : ''}`;
  const lines = [
    `${how}${holder.name}.query('SELECT 1')`,
    ...indent(printStages(stages, scope, printing)),
  ];
  if (!scope.mayAwait) noteDetached(lines, scope, printing);
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''};`].map((line, index) =>
    index === 0 && holder.empty !== 'never' ? `if (${holder.name}) ${line}` : line,
  );
}

export function printStages(stages: readonly Stage[], scope: Scope, printing: Printing): Lines {
  return stages.flatMap((stage) => printStage(stage, insideFunction(scope, false), printing));
}

function printStage({ on, body, rethrows }: Stage, scope: Scope, printing: Printing): Lines {
  const handler = (parameter: string, extra: Lines): Lines =>
    block(`(${parameter}) =>`, [...printPieces(body, scope, printing), ...extra]);
  const onError = (): Lines => handler('error', rethrows ? ['throw error;'] : []);
  const joined = (lines: Lines): Lines => [...lines.slice(0, -1), `${lines.at(-1) ?? ''})`];
  switch (on) {
    case 'then':
      return joined(
        block('.then((result) =>', [...printPieces(body, scope, printing), 'return result;']),
      );
    case 'catch':
      return joined(block('.catch((error) =>', onError().slice(1, -1)));
    case 'finally':
      return joined(block('.finally(() =>', printPieces(body, scope, printing)));
    case 'both': {
      const [first = '', ...others] = handler('result', ['return result;']);
      return joined([
        `.then(${first}`,
        ...others.slice(0, -1),
        `}, ${onError()[0] ?? ''}`,
        ...onError().slice(1),
      ]);
    }
  }
}
