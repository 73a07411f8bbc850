import type { TSESTree } from '@typescript-eslint/types';
import type { FunctionNode, Node } from '../../flow/graph.ts';
import { isFunction } from '../identity/entities.ts';
import type { Edit, Suggestion } from './finding.ts';
import type { OpenRelease } from './open-transaction.ts';
import { contains, findAncestor, variableOf, writesTo, type SourceFile } from '../files/source-file.ts';

/**
 * A ROLLBACK where the error passes by before a `finally` releases: at the start of the `catch`, or in one of its own that throws the
 * error again. Only under a `finally`, which releases although the ROLLBACK itself may fail.
 */
export function offerRollback({ release, begin, thrower }: OpenRelease, file: SourceFile): readonly Suggestion[] {
  const client = clientOf(release);
  const attempt = findAncestor(release, (each): each is TSESTree.TryStatement => each.type === 'TryStatement' && each.finalizer !== null && contains(each.finalizer, release));
  if (client === undefined || thrower === undefined || attempt === undefined || !contains(attempt.block, thrower) || !isKnownThroughout(client, attempt, file)) return [];
  const fn = findAncestor(attempt, isFunction);
  if (fn?.async !== true || [release, begin, thrower].some((each) => enclosingFunction(each) !== fn)) return [];
  return [{ messageId: 'rollBack', data: { client: client.name }, edits: [attempt.handler === null ? newCatch(attempt, client.name, file) : atStart(attempt.handler.body, client.name, file)] }];
}

function enclosingFunction(node: Node): FunctionNode | undefined {
  return findAncestor(node, isFunction);
}

function clientOf(release: Node): TSESTree.Identifier | undefined {
  const receiver = release.type === 'CallExpression' && release.callee.type === 'MemberExpression' ? release.callee.object : undefined;
  return receiver?.type === 'Identifier' ? receiver : undefined;
}

/** Set once, before the `try`. */
function isKnownThroughout(client: Node, attempt: TSESTree.TryStatement, file: SourceFile): boolean {
  const variable = variableOf(file, client);
  const [definition] = variable?.defs ?? [];
  const declarator = definition?.node as Node | undefined;
  return variable !== undefined && variable.defs.length === 1 && writesTo(variable).length === 0 && declarator?.type === 'VariableDeclarator' && declarator.init !== null && declarator.range[1] <= attempt.range[0];
}

function atStart(body: TSESTree.BlockStatement, client: string, file: SourceFile): Edit {
  const [first] = body.body;
  const at = body.range[0] + 1;
  const isOnOneLine = first === undefined || first.loc.start.line === body.loc.start.line;
  const before = isOnOneLine ? ' ' : `\n${indentAt(first, file)}`;
  return { range: [at, at], text: `${before}await ${client}.query('ROLLBACK');${first === undefined ? ' ' : ''}` };
}

function newCatch(attempt: TSESTree.TryStatement, client: string, file: SourceFile): Edit {
  const { block } = attempt;
  const outer = indentAt(attempt, file);
  const [first] = block.body;
  const inner = first === undefined || first.loc.start.line === block.loc.start.line ? `${outer}  ` : indentAt(first, file);
  return { range: [block.range[1], block.range[1]], text: ` catch (error) {\n${inner}await ${client}.query('ROLLBACK');\n${inner}throw error;\n${outer}}` };
}

/** What stands before a node's line begins. */
function indentAt({ range }: Node, file: SourceFile): string {
  const lineStart = file.text.lastIndexOf('\n', range[0] - 1) + 1;
  return /^[ \t]*/u.exec(file.text.slice(lineStart))?.[0] ?? '';
}
