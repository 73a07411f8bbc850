import { methods } from '../model/drivers.ts';
import { paramsOf, takenBy } from '../syntax/parameters.ts';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import {
  memberName,
  parentOf,
  referencesTo,
  unwrap,
  type SourceFile,
} from '../syntax/source-file.ts';

/** Last of all, identity shows in use: what comes from `connect()` is queried and released. */
export function isUsedAsPool(
  call: CallNode,
  callback: FunctionNode | undefined,
  file: SourceFile,
): boolean {
  if (callback !== undefined) {
    const [, client, done] = paramsOf(callback);
    if (client === undefined) return false;
    const uses = membersUsed(client, file);
    if (uses.has(methods.query)) return done !== undefined || uses.has(methods.release);
    return done !== undefined && isPassedOn(client, file) && isCalledOrPassedOn(done, file);
  }
  const holder = resultName(call);
  if (holder === undefined) return false;
  return [holder, ...namesBehind(holder, file)].some((name) => {
    const uses = membersUsed(name, file);
    return uses.has(methods.release) && (uses.has(methods.query) || isPassedOn(name, file));
  });
}

/** `const client = await pending`, where the promise was kept: `const pending = pool.connect()`. */
function namesBehind(promise: Node, file: SourceFile): readonly Node[] {
  return referencesTo(promise, file).flatMap((reference) => resultName(reference) ?? []);
}

/** The name that gets the client: `const client = await pool.connect()`, or the parameter of the next `then`. */
function resultName(given: Node): Node | undefined {
  let node = given;
  for (let up = parentOf(node); up !== undefined; up = parentOf(node)) {
    if (up.type === 'VariableDeclarator') return up.id;
    if (up.type === 'AssignmentExpression') return up.left;
    if (memberName(up) === 'then') return thenParameter(up);
    if (!transparent.has(up.type)) return undefined;
    node = up;
  }
  return undefined;
}

const transparent: ReadonlySet<string> = new Set([
  'AwaitExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'LogicalExpression',
  'ConditionalExpression',
  'ChainExpression',
]);

function thenParameter(member: Node): Node | undefined {
  const chain = parentOf(member);
  const handler = chain?.type === 'CallExpression' ? chain.arguments[0] : undefined;
  return handler !== undefined && isFunction(handler) ? handler.params[0] : undefined;
}

/** The members that are read of what a name holds, and a release in functions of the file that it is given to. */
function membersUsed(name: Node, file: SourceFile, seen = new Set<Node>()): ReadonlySet<string> {
  const used = new Set<string>();
  for (const reference of referencesTo(name, file)) {
    used.add(memberRead(reference) ?? '');
    const taken = takenBy(reference, parentOf(reference), file);
    if (taken === undefined || seen.has(taken)) continue;
    seen.add(taken);
    if (membersUsed(taken, file, seen).has(methods.release)) used.add(methods.release);
  }
  return used;
}

function memberRead(object: Node): string | undefined {
  const up = parentOf(object);
  const member = up?.type === 'TSNonNullExpression' ? up.parent : up;
  return member?.type === 'MemberExpression' && unwrap(member.object) === object
    ? memberName(member)
    : undefined;
}

function isPassedOn(name: Node, file: SourceFile): boolean {
  return referencesTo(name, file).some((reference) => {
    const up = parentOf(reference);
    return up?.type === 'CallExpression' && up.callee !== reference;
  });
}

function isCalledOrPassedOn(name: Node, file: SourceFile): boolean {
  return referencesTo(name, file).some(
    (reference) => parentOf(reference)?.type === 'CallExpression',
  );
}
