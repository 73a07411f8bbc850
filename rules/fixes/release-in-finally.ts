import type { TSESTree } from '@typescript-eslint/types';
import type { Node, CallNode } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { areApart, awaited } from './edits.ts';
import type { Edit, Suggestion } from './suggestion.ts';
import type { Resolver } from '../values/resolver.ts';
import { contains, type SourceFile, unwrap } from '../syntax/source-file.ts';
import { isSelfContained, type ClientUses } from './client-uses.ts';
import { heldClientOf, type HeldClient } from './held-client.ts';
import { isHeldAsLong, type IsAsLong } from './held-as-long.ts';
import { beginsLine, indentLines, restOfLine, startOfContent, startOfLine } from './lines.ts';
import { moveIntoTry } from './move-into-try.ts';
import { removalsOf } from './removal.ts';
import { linesOfCatch, rollbackOn } from './roll-back.ts';
import { dirtySites } from '../typestate/leftovers.ts';
import type { Edge, Point } from '../flow/graph.ts';
import { leakingStates } from '../typestate/leaking.ts';

/**
 * The one release that cures a leak, a use after the release and a second release alike: in the `finally` of a `try` that begins
 * right after the checkout. The nearest to what stands there is offered, if any is safe.
 */
export function releaseInFinally(
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
  late?: LateAwait,
): readonly Suggestion[] {
  const client = heldClientOf(checkout, file);
  const held =
    client === undefined || late === undefined
      ? client
      : { ...client, uses: usesAwaiting(late, client.uses) };
  const open = held === undefined ? 'unclear' : leftOpen(checkout);
  if (held === undefined || open === 'unclear') return [];
  const isAsLong = (range: Node['range'], releases: readonly Node[]): boolean =>
    isHeldAsLong(checkout, { releases, range, uses: held.uses.others }, file, resolver);
  const moved = moveIntoTry(held, file, isAsLong);
  if (moved !== undefined && areApart(moved))
    return [{ messageId: 'moveIntoTry', data: {}, edits: moved }];
  const rollback =
    open === 'transaction' ? rollbackOn(held.name, held.block, checkout, file, resolver) : null;
  const edits =
    (open === 'nothing' ? addFinally(held, file, isAsLong) : undefined) ??
    wrapRest(held, file, isAsLong, rollback);
  return edits === undefined ? [] : apart('releaseInFinally', edits);
}

function apart(messageId: string, edits: readonly Edit[]): readonly Suggestion[] {
  return areApart(edits) ? [{ messageId, data: {}, edits }] : [];
}

/** A query whose promise is kept and awaited later on. */
export interface LateAwait {
  readonly call: CallNode;
  /** The names behind `await`, which find a value there. */
  readonly reads: readonly Node[];
}

function usesAwaiting({ call, reads }: LateAwait, uses: ClientUses): ClientUses {
  return {
    ...uses,
    returned: [...uses.returned, call],
    others: [...uses.others, ...reads],
    unclear: uses.unclear.filter((each) => !contains(call, each)),
  };
}

/** `try { … } catch { … }` right after the checkout gets a `finally`. */
function addFinally(
  held: HeldClient,
  file: SourceFile,
  isAsLong: IsAsLong,
): readonly Edit[] | undefined {
  const {
    rest: [first],
    uses: { releases, returned, others, unclear },
    name,
    indent,
    unit,
    semicolon,
  } = held;
  if (
    first?.type !== 'TryStatement' ||
    first.finalizer !== null ||
    first.handler === null ||
    unclear.length > 0 ||
    !others.every((each) => contains(first, each))
  )
    return undefined;
  const removals = removalsOf(releases, file.text);
  if (
    removals === undefined ||
    !isAsLong(
      first.range,
      releases.filter((each) => contains(first, each)),
    )
  )
    return undefined;
  const { block, handler } = first;
  const isOneLine = first.loc.start.line === first.loc.end.line;
  const isApart = file.text.slice(block.range[1], handler.range[0]).includes('\n');
  const release = `${name}.release()${semicolon}`;
  const finalizer = isOneLine
    ? `finally { ${release} }`
    : `finally {\n${indent}${unit}${release}\n${indent}}`;
  const end = handler.range[1];
  return [
    ...removals,
    ...awaited(returned),
    { range: [end, end], text: (isApart ? `\n${indent}` : ' ') + finalizer },
  ];
}

/** Everything after the checkout goes into a `try`; what an open transaction leaves is rolled back. */
function wrapRest(
  held: HeldClient,
  file: SourceFile,
  isAsLong: IsAsLong,
  rollback: string | null,
): readonly Edit[] | undefined {
  const {
    declaration,
    block,
    rest,
    uses: { releases, returned, unclear },
  } = held;
  const range: Node['range'] = [declaration.range[1], block.range[1]];
  if (
    releases.length >= rest.length &&
    rest.every((each) => releases.some((release) => release === each))
  )
    return undefined;
  if (
    unclear.length > 0 ||
    !isSelfContained(file, range) ||
    rest.some(isHoisted) ||
    !isAsLong(range, releases)
  )
    return undefined;
  const removals = removalsOf(releases, file.text);
  if (removals === undefined) return undefined;
  const frame =
    declaration.loc.start.line === block.loc.end.line
      ? wrapOnOneLine(held, rollback, file)
      : wrapLines(held, file, removals, rollback);
  return frame === undefined ? undefined : [...removals, ...awaited(returned), ...frame];
}

function isHoisted({ type }: TSESTree.Statement): boolean {
  return type === 'FunctionDeclaration' || type === 'ClassDeclaration';
}

function wrapOnOneLine(
  { declaration, block, name, semicolon }: HeldClient,
  rollback: string | null,
  { text }: SourceFile,
): readonly Edit[] | undefined {
  if (rollback !== null || semicolon === '' || !text.slice(0, block.range[1] - 1).endsWith(' '))
    return undefined;
  const [start, end] = [declaration.range[1], block.range[1] - 1];
  return [
    { range: [start, start], text: ' try {' },
    { range: [end, end], text: `} finally { ${name}.release(); } ` },
  ];
}

function wrapLines(
  held: HeldClient,
  file: SourceFile,
  removals: readonly Edit[],
  rollback: string | null,
): readonly Edit[] | undefined {
  const { declaration, block, rest, indent, unit, name, semicolon } = held;
  const { text } = file;
  const end = startOfLine(text, block.range[1] - 1);
  const start = startOfContent(text, declaration.range[1]);
  const isByLines =
    beginsLine(text, declaration.range[0]) &&
    /^\s*(?:\/\/.*)?$/u.test(restOfLine(text, declaration.range[1])) &&
    beginsLine(text, block.range[1] - 1);
  if (!isByLines || start >= end) return undefined;
  const handler = rollback === null ? [] : linesOfCatch(rollback, held).slice(0, -1);
  const lines = [...handler, '} finally {', `${unit}${name}.release()${semicolon}`, '}'];
  return [
    { range: [start, start], text: `${indent}try {\n` },
    ...indentLines(file, [start, end], unit, rest, removals),
    { range: [end, end], text: lines.map((line) => `${indent}${line}\n`).join('') },
  ];
}

/**
 * What is open on the client where it is lost. `nothing` needs no more than a release; a transaction that an exception leaves open
 * wants a ROLLBACK before it; of all else nobody can tell what is meant.
 */
function leftOpen(checkout: Checkout): 'nothing' | 'transaction' | 'unclear' {
  if (leakingStates(checkout).some(({ fact }) => dirtySites(fact).length > 0)) return 'unclear';
  const ends = endsInTransaction(checkout);
  return ends.has('exit') ? 'unclear' : ends.has('throw-exit') ? 'transaction' : 'nothing';
}

/** How control leaves with neither a release nor the end of the transaction since a BEGIN that succeeded. */
function endsInTransaction({
  acquisition,
  graph,
  releaseSites,
  session,
}: Checkout): ReadonlySet<Point['kind']> {
  const does = ({ kind, node }: Point, transaction: 'begin' | 'end'): boolean =>
    kind === 'eval' &&
    node?.type === 'CallExpression' &&
    session.sent.get(node)?.kinds.some((each) => each.transaction === transaction) === true;
  const seen = new Set(
    graph.points.filter((point) => does(point, 'begin')).flatMap((begin) => pointsAfter(begin)),
  );
  const ends = new Set<Point['kind']>();
  for (const point of seen) {
    ends.add(point.kind);
    const isOver =
      does(point, 'end') ||
      (point.node !== null && (releaseSites.has(point.node) || point.node === acquisition.call));
    if (!isOver) for (const { to } of point.edges.filter(isLikely)) seen.add(to);
  }
  return ends;
}

/** A BEGIN that fails has begun nothing, so the way goes on where it has been waited for. */
function pointsAfter(begin: Point): readonly Point[] {
  return begin.edges
    .filter(isLikely)
    .flatMap(({ to }) =>
      to.node?.type === 'AwaitExpression' && unwrap(to.node.argument) === begin.node
        ? to.edges.filter(({ when }) => when === 'next').map((each) => each.to)
        : to,
    );
}

function isLikely({ when }: Edge): boolean {
  return when !== 'implicit-throw';
}
