import type { FunctionNode, Node } from '../../syntax/node.ts';
import { paramsOf } from '../../syntax/parameters.ts';
import { calledName } from '../../syntax/calls.ts';
import { originalName } from '../../syntax/exports.ts';
import { walk } from '../../syntax/preorder.ts';
import {
  contains,
  definitionOf,
  parentOf,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
} from '../../syntax/source-file.ts';

/** Functions whose result depends on nothing but their arguments, or on files. */
const plainCalls =
  /^(?:Number|String|Boolean|parseInt|parseFloat|(?:\w+\.)?(?:readFileSync|join|resolve|toString|trim|replace|toLowerCase|encodeURIComponent))$|^encodeURIComponent$|^new URL$/u;

/** Where something is evaluated again and again: a function, a loop, a class. */
interface Evaluated {
  readonly file: SourceFile;
  readonly scope: Node;
  /** The function whose parameters may have a part in it. */
  readonly takes: FunctionNode | undefined;
  readonly seen: Set<Variable>;
  readonly params: Set<number>;
}

/** Which parameters have a part in what the nodes evaluate to; undefined where something else has that is known only inside of the scope. Without one they mean the same each time. */
export function paramsBehind(
  nodes: readonly Node[],
  scope: Node,
  takes: FunctionNode | undefined,
  file: SourceFile,
): ReadonlySet<number> | undefined {
  const evaluated = { file, scope, takes, seen: new Set<Variable>(), params: new Set<number>() };
  return arePlain(nodes, evaluated) ? evaluated.params : undefined;
}

function arePlain(nodes: readonly Node[], evaluated: Evaluated): boolean {
  return nodes.every((node) => {
    let isSame = true;
    walk(evaluated.file, node, (each) => {
      isSame &&= isPlain(each, evaluated);
      return isSame;
    });
    return isSame;
  });
}

function isPlain(node: Node, evaluated: Evaluated): boolean {
  switch (node.type) {
    case 'ThisExpression':
    case 'AwaitExpression':
    case 'YieldExpression':
      return false;
    case 'CallExpression':
      return plainCalls.test(nameOf(node.callee, evaluated.file) ?? '');
    case 'Identifier':
      return isNameOnly(node) || isPlainVariable(variableOf(evaluated.file, node), evaluated);
    default:
      return true;
  }
}

/** A function of the program may do anything, whatever it is called. */
function nameOf(callee: Node, file: SourceFile): string | undefined {
  return callee.type === 'Identifier' ? originalName(callee, file) : calledName(callee);
}

function isNameOnly(identifier: Node): boolean {
  const up = parentOf(identifier);
  return (
    (up?.type === 'MemberExpression' && up.property === identifier && !up.computed) ||
    (up?.type === 'Property' && up.key === identifier && !up.computed && !up.shorthand)
  );
}

/** A variable from outside of the scope that is set once, or one inside that is made of such. */
function isPlainVariable(variable: Variable | undefined, evaluated: Evaluated): boolean {
  const definition = definitionOf(variable);
  if (variable === undefined || variable.defs.length === 0) return true;
  if (definition === undefined) return false;
  const name = definition.name as unknown as Node;
  const writes = writesTo(variable);
  if (definition.type === 'Parameter')
    return writes.every(isDefault) && arePlain(writes, evaluated) && isParameter(name, evaluated);
  if (writes.length > 0) return false;
  if (!contains(evaluated.scope, name)) return true;
  const initial = initialOf(definition.node as Node, evaluated.scope);
  if (initial === undefined) return false;
  if (evaluated.seen.has(variable)) return true;
  evaluated.seen.add(variable);
  return arePlain([initial], evaluated);
}

function isDefault(value: Node): boolean {
  return parentOf(value)?.type === 'AssignmentPattern';
}

function isParameter(name: Node, { takes, params }: Evaluated): boolean {
  const index =
    takes === undefined ? -1 : paramsOf(takes).findIndex((each) => contains(each, name));
  if (index >= 0) params.add(index);
  return index >= 0;
}

/** What a variable is made of: its initial value, or what a loop inside of the scope goes through. */
function initialOf(declarator: Node, scope: Node): Node | undefined {
  if (declarator.type !== 'VariableDeclarator') return undefined;
  const loop = parentOf(declarator.parent);
  if (loop?.type === 'ForOfStatement' && !loop.await && loop.left === declarator.parent)
    return loop === scope ? undefined : loop.right;
  return declarator.id.type === 'Identifier' ? (declarator.init ?? undefined) : undefined;
}
