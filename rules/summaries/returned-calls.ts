import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { someIn, walk } from '../syntax/preorder.ts';
import { calledThrough } from './called-through.ts';
import type { Resolver } from '../values/resolver.ts';
import { parameterIndex } from '../syntax/parameters.ts';
import { parentOf, variableOf, type SourceFile, type Variable } from '../syntax/source-file.ts';

/** The calls in a function whose result may be part of what it returns: those of its returns, and of all that the names there may hold. */
export function returnedCalls(fn: FunctionNode, file: SourceFile): ReadonlySet<CallNode> {
  const calls = new Set<CallNode>();
  const sources = new Set(returnedBelow(fn, file));
  const names = new Set<Variable>();
  // The set grows while it is read: it is the worklist.
  for (const source of sources) {
    walk(file, source, (node) => {
      if (node.type === 'CallExpression') calls.add(node);
      const variable = variableOf(file, node);
      if (variable === undefined || names.has(variable)) return true;
      names.add(variable);
      for (const each of sourcesOf(variable, fn)) sources.add(each);
      return true;
    });
  }
  return calls;
}

/** What the function and the functions in it return, and what is kept under members, which a return may name. */
function returnedBelow(fn: FunctionNode, file: SourceFile): readonly Node[] {
  const found: Node[] = [];
  walk(file, fn, (node) => {
    if (isFunction(node) && node.body.type !== 'BlockStatement') found.push(node.body);
    if (node.type === 'ReturnStatement' && node.argument !== null) found.push(node.argument);
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression')
      found.push(node.right);
    return true;
  });
  return found;
}

/** Where what a variable holds may come from, as far as that is inside of the function. */
function sourcesOf(variable: Variable, fn: FunctionNode): readonly Node[] {
  const written = variable.references.flatMap(({ writeExpr }) => writeExpr ?? []);
  const defined = variable.defs.map(({ node }) => givenTo(node as Node));
  return ([...written, ...defined] as readonly Node[]).filter(
    ({ range }) => fn.range[0] < range[0] && range[1] <= fn.range[1],
  );
}

/** Of a parameter of a callback, the call that the callback is given to. */
function givenTo(definition: Node): Node {
  const up = isFunction(definition) ? parentOf(definition) : undefined;
  return up?.type === 'CallExpression' || up?.type === 'NewExpression' ? up : definition;
}

/** Whether a function calls one of its parameters, itself, in a callback, or through a function that it gives it to. */
export function callsParameter(fn: FunctionNode, file: SourceFile, resolver: Resolver): boolean {
  return someIn(
    file,
    fn.body,
    (node) =>
      node.type === 'CallExpression' &&
      calledThrough(node, fn, file, resolver).some(
        ({ callback }) => parameterIndex(callback, fn, file) !== -1,
      ),
  );
}
