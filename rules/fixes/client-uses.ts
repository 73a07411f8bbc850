import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { harmlessMembers } from '../model/client-members.ts';
import { methods } from '../model/drivers.ts';
import { useOf } from '../syntax/uses.ts';
import { parentOf, unwrap, type SourceFile, type Variable } from '../syntax/source-file.ts';
import { isOfPromise } from '../syntax/promise-calls.ts';

/** What a block does with the client that one of its variables holds, when all of it is plain. */
export interface ClientUses {
  /** `client.release();` */
  readonly releases: readonly TSESTree.ExpressionStatement[];
  /** Calls that are returned and that nothing here waits for: `return client.query()`. */
  readonly returned: readonly CallNode[];
  /** Every place that names the client, releases left out. */
  readonly others: readonly Node[];
  /** Those of which nobody can tell that the work is over when the block is left: nothing waits for it, the client is kept, or listened to. */
  readonly unclear: readonly Node[];
}

/** What becomes of a client that is declared in a block. */
export function usesOf(variable: Variable, block: Node): ClientUses {
  const releases: TSESTree.ExpressionStatement[] = [];
  const returned = new Set<CallNode>();
  const others: Node[] = [];
  const unclear: Node[] = [];
  for (const reference of variable.references) {
    const node = reference.identifier as unknown as Node;
    if (reference.init === true) continue;
    const release = plainRelease(node);
    if (release !== undefined && isDirectlyIn(release, block)) {
      releases.push(release);
      continue;
    }
    const use = settledUse(node, block);
    others.push(node);
    if (use === undefined) unclear.push(node);
    else if (use !== 'settled') returned.add(use);
  }
  return { releases, returned: [...returned], others, unclear };
}

/** The statement `client.release();` or `await client.release();` that names the client here. */
function plainRelease(client: Node): TSESTree.ExpressionStatement | undefined {
  const use = useOf(client);
  if (
    use.kind !== 'receiver' ||
    use.member !== methods.release ||
    use.call === null ||
    use.call.arguments.length > 0
  )
    return undefined;
  const statement = findStatement(use.call);
  return statement?.type === 'ExpressionStatement' &&
    withoutAwait(statement.expression) === use.call
    ? statement
    : undefined;
}

function withoutAwait(expression: Node): Node {
  const plain = unwrap(expression);
  return plain.type === 'AwaitExpression' ? unwrap(plain.argument) : plain;
}

function findStatement(node: Node): Node | undefined {
  let each = parentOf(node);
  while (each !== undefined && (each.type === 'AwaitExpression' || each.type === 'ChainExpression'))
    each = parentOf(each);
  return each;
}

function isDirectlyIn(node: Node, block: Node): boolean {
  for (let up = parentOf(node); up !== undefined && up !== block; up = parentOf(up)) {
    if (isFunction(up)) return false;
  }
  return true;
}

function settledUse(client: Node, block: Node): CallNode | 'settled' | undefined {
  const use = useOf(client);
  switch (use.kind) {
    case 'receiver':
      if (
        use.call === null ||
        use.member === undefined ||
        use.member === methods.release ||
        use.member === methods.end
      )
        return undefined;
      return harmlessMembers.has(use.member)
        ? isPure.test(use.member)
          ? 'settled'
          : undefined
        : waiterOf(client, block);
    case 'argument':
      return waiterOf(client, block);
    case 'neutral':
      return isTested(client) ? 'settled' : undefined;
    default:
      return undefined;
  }
}

/** Of the members that do no harm after a release, those that leave nothing behind, no listener for one. */
const isPure = /^(?:escape|get|list|eventNames|to)/u;

function isTested(client: Node): boolean {
  const up = parentOf(client);
  return (
    up?.type === 'UnaryExpression' ||
    up?.type === 'IfStatement' ||
    up?.type === 'BinaryExpression' ||
    (up?.type === 'LogicalExpression' && up.operator === '&&' && up.left === client)
  );
}

/**
 * What waits for the work that a place stands in: an `await` around it, or, for a call that is returned as it is, whoever gets it.
 * Inside of a function that is written in place, its result has to be waited for in turn.
 */
function waiterOf(place: Node, block: Node): CallNode | 'settled' | undefined {
  let isWaited = false;
  for (let node = place; node.parent !== undefined && node.parent !== block; node = node.parent) {
    const up = node.parent;
    if (!isWaited && up.type === 'ReturnStatement' && isDirectlyIn(up, block))
      return node.type === 'CallExpression' ? node : undefined;
    if (isLostIn(up, isWaited)) return undefined;
    isWaited = isFunction(up) ? false : isWaited || isAwaiting(up, node);
  }
  return isWaited ? 'settled' : undefined;
}

/** A function that does not give back what is in it, or a race. */
function isLostIn(node: Node, isWaited: boolean): boolean {
  return (
    isOfPromise(node, 'race', 'any') ||
    (!isWaited && isFunction(node) && node.body.type === 'BlockStatement')
  );
}

function isAwaiting(up: Node, node: Node): boolean {
  return (
    up.type === 'AwaitExpression' ||
    up.type === 'ReturnStatement' ||
    (up.type === 'ForOfStatement' && up.await && up.right === node)
  );
}

/** True when every name that is declared in a range is asked for only there; `wider` is where it may be asked for besides. */
export function isSelfContained(
  file: SourceFile,
  range: Node['range'],
  wider: Node['range'] = range,
): boolean {
  return file.scopes.scopes.every(({ variables }) =>
    variables.every((variable) => {
      const isDeclaredHere = variable.identifiers.some((each) => isWithin(each.range, range));
      // What `var` declares belongs to the function wherever it stands.
      if (
        !isDeclaredHere ||
        variable.defs.every(({ parent }) => (parent as { kind?: string } | null)?.kind === 'var')
      )
        return true;
      return variable.references.every(({ identifier }) => isWithin(identifier.range, wider));
    }),
  );
}

function isWithin(inner: readonly number[] | undefined, [start, end]: Node['range']): boolean {
  const [from = -1, to = Infinity] = inner ?? [];
  return start <= from && to <= end;
}
