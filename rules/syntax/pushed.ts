import { type FunctionNode, type Node, isFunction } from './node.ts';
import { calledMember } from './call-chain.ts';
import { contains, findAncestor, parentOf, type Variable } from './source-file.ts';

/** What is added to a list. */
type Pushed =
  | { readonly kind: 'once'; readonly node: Node }
  | { readonly kind: 'many'; readonly node: Node; readonly round: Node };

/** `jobs.push(…)` between the declaration of a list and its use: in each round of what is around it, or on every way to the use. */
export function pushedBefore(use: Node, variable: Variable, declaration: Node): readonly Pushed[] {
  return variable.references.flatMap(({ identifier }): readonly Pushed[] => {
    const name = identifier as unknown as Node;
    const member = parentOf(name);
    const call = member?.type === 'MemberExpression' ? parentOf(member) : undefined;
    if (
      call?.type !== 'CallExpression' ||
      call.callee !== member ||
      calledMember(call) !== 'push' ||
      call.range[0] > use.range[0]
    )
      return [];
    const round = enclosingRound(call, declaration);
    if (round === 'unknown') return [];
    const added = call.arguments.filter(({ type }) => type !== 'SpreadElement');
    if (round !== undefined) return added.map((node) => ({ kind: 'many', node, round }));
    return isOnTheWayTo(call, use) ? added.map((node) => ({ kind: 'once', node })) : [];
  });
}

const loops: ReadonlySet<string> = new Set([
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

/** The innermost loop, or function for each element, that the declaration is outside of; unknown in another function. */
function enclosingRound(call: Node, declaration: Node): Node | 'unknown' | undefined {
  for (let each = parentOf(call); each !== undefined; each = parentOf(each)) {
    if (contains(each, declaration)) return undefined;
    if (loops.has(each.type)) return each;
    if (isFunction(each)) return isForEach(each) ? each : 'unknown';
  }
  return undefined;
}

/** `rows.forEach((row) => …)`, whose rounds have begun when it is over. */
function isForEach(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  const name = call?.type === 'CallExpression' ? calledMember(call) : undefined;
  return name === 'forEach' || name === 'map';
}

/** No branch is around it that is not around the use. */
function isOnTheWayTo(call: Node, use: Node): boolean {
  const statement = findAncestor(call, (each): each is Node => each.type === 'ExpressionStatement');
  const block = statement && parentOf(statement);
  return block !== undefined && contains(block, use) && parentOf(call) === statement;
}
