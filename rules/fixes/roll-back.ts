import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import type { Edit, Suggestion } from './suggestion.ts';
import { givesUpOnStatements } from '../summaries/gives-up.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Resolver } from '../values/resolver.ts';
import { walk } from '../syntax/preorder.ts';
import {
  contains,
  findAncestor,
  variableOf,
  writesTo,
  type SourceFile,
} from '../syntax/source-file.ts';
import { indentAt, indentUnit } from './lines.ts';

/** A way from a BEGIN to a release that keeps the connection, without anything that ends the transaction. */
export interface OpenRelease {
  readonly release: Node;
  /** The call that begins the transaction. */
  readonly begin: Node;
  /** What throws on the way, when something does. */
  readonly thrower: Node | undefined;
  /** The last statement on the way that leaves the function or a round of a loop, if any. */
  readonly jump: Node | undefined;
}

/** How the statements around are written. */
interface Writing {
  /** `;` unless the file goes without. */
  readonly semicolon: string;
  readonly unit: string;
}

/** The lines of `catch (error) { … }`, from brace to brace: what is open on the client is rolled back, and the error goes on. */
export function linesOfCatch(rollback: string, { semicolon, unit }: Writing): readonly string[] {
  return [
    '} catch (error) {',
    `${unit}${rollback}${semicolon}`,
    `${unit}throw error${semicolon}`,
    '}',
  ];
}

/**
 * A ROLLBACK in the quotes in which the BEGIN around it stands. Its own failure hides nothing: the pool notices a lost connection,
 * unless it gives up on statements that still run.
 */
export function rollbackOn(
  client: string,
  enclosing: Node,
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): string {
  let quote = "'";
  walk(file, enclosing, (node) => {
    if (
      node.type === 'Literal' &&
      typeof node.value === 'string' &&
      /^\s*(?:begin|start)\b/iu.test(node.value)
    )
      quote = node.raw.charAt(0);
    return true;
  });
  const sent = `await ${client}.query(${quote}ROLLBACK${quote})`;
  return givesUpOnStatements(checkout, file, resolver) ? sent : `${sent}.catch(() => {})`;
}

/**
 * A ROLLBACK where the error passes by before a `finally` releases: at the start of the `catch`, or in one of its own that throws the
 * error again. Only under a `finally`, which releases although the ROLLBACK itself may fail.
 */
export function rollBack(
  { release, begin, thrower }: OpenRelease,
  checkout: Checkout,
  file: SourceFile,
  resolver: Resolver,
): readonly Suggestion[] {
  const client = clientOf(release);
  const attempt = findAncestor(
    release,
    (each): each is TSESTree.TryStatement =>
      each.type === 'TryStatement' && each.finalizer !== null && contains(each.finalizer, release),
  );
  if (
    client === undefined ||
    thrower === undefined ||
    attempt === undefined ||
    !contains(attempt.block, thrower) ||
    !isKnownThroughout(client, attempt, file)
  )
    return [];
  const fn = findAncestor(attempt, isFunction);
  if (
    fn?.async !== true ||
    [release, begin, thrower].some((each) => enclosingFunction(each) !== fn)
  )
    return [];
  const semicolon = file.text[release.range[1]] === ';' ? ';' : '';
  const rollback = rollbackOn(client.name, attempt.block, checkout, file, resolver);
  return [
    {
      messageId: 'rollBack',
      data: { client: client.name },
      edits: [
        attempt.handler === null
          ? newCatch(attempt, rollback, semicolon, file)
          : atStart(attempt.handler.body, rollback, semicolon, file),
      ],
    },
  ];
}

function enclosingFunction(node: Node): FunctionNode | undefined {
  return findAncestor(node, isFunction);
}

function clientOf(release: Node): TSESTree.Identifier | undefined {
  const receiver =
    release.type === 'CallExpression' && release.callee.type === 'MemberExpression'
      ? release.callee.object
      : undefined;
  return receiver?.type === 'Identifier' ? receiver : undefined;
}

/** Set once, before the `try`. */
function isKnownThroughout(
  client: Node,
  attempt: TSESTree.TryStatement,
  file: SourceFile,
): boolean {
  const variable = variableOf(file, client);
  const [definition] = variable?.defs ?? [];
  const declarator = definition?.node as Node | undefined;
  return (
    variable !== undefined &&
    variable.defs.length === 1 &&
    writesTo(variable).length === 0 &&
    declarator?.type === 'VariableDeclarator' &&
    declarator.init !== null &&
    declarator.range[1] <= attempt.range[0]
  );
}

function atStart(
  { range, loc, body: [first] }: TSESTree.BlockStatement,
  rollback: string,
  semicolon: string,
  file: SourceFile,
): Edit {
  const at = range[0] + 1;
  const isOnOneLine = first === undefined || first.loc.start.line === loc.start.line;
  const before = isOnOneLine ? ' ' : `\n${indentAt(file.text, first.range[0])}`;
  const ending = first === undefined ? `${semicolon} ` : isOnOneLine ? ';' : semicolon;
  return { range: [at, at], text: before + rollback + ending };
}

function newCatch(
  attempt: TSESTree.TryStatement,
  rollback: string,
  semicolon: string,
  file: SourceFile,
): Edit {
  const { block } = attempt;
  const outer = indentAt(file.text, attempt.range[0]);
  const [first] = block.body;
  const unit =
    first === undefined || first.loc.start.line === block.loc.start.line
      ? '  '
      : indentUnit(file.text, block, first);
  const [opening = '', ...lines] = linesOfCatch(rollback, { semicolon, unit });
  return {
    range: [block.range[1], block.range[1]],
    text: [opening.slice(1), ...lines.map((line) => outer + line)].join('\n'),
  };
}
