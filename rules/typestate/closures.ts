import type { TSESTree } from '@typescript-eslint/types';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import type { CheckoutContext } from './checkout.ts';
import { opensList } from './containers.ts';
import { escape, isOurs, withAccessPath, type Fact } from './facts.ts';
import { walk } from '../syntax/preorder.ts';
import {
  contains,
  findAncestor,
  isMember,
  parentOf,
  unwrap,
  variableOf,
  type Variable,
} from '../syntax/source-file.ts';
import { useOf, type Use } from '../syntax/uses.ts';
import { joinsQuery } from './joined-queries.ts';
import { localObject, type LocalObject } from './local-objects.ts';
import { onlyBorrows } from './known-calls.ts';
import { isOwningListener, takesListenerOff } from './owning-listeners.ts';

/**
 * A function value that captured the client: when it may release the client, or is itself kept or given back, whoever has it
 * answers for the client from then on. A function that only queries and is passed to a call borrows.
 */
export function effectOfClosure(
  fact: Fact,
  closure: FunctionNode,
  excerpt: Node,
  context: CheckoutContext,
): Fact {
  if (fact.status === 'none' || fact.status === 'released') return fact;
  const use = useOf(excerpt);
  // Called by name: its body stands in the graph, or it only borrows.
  if (use.kind === 'callee' || use.kind === 'neutral' || staysHere(use, excerpt, fact, context))
    return fact;
  const captured = capturedIn(closure, fact, context);
  if (captured.places.length === 0) return fact;
  return use.kind !== 'argument' || mayGiveAway(captured, context) ? escape(fact) : fact;
}

/** Bound to a name of this function, by itself or in an object that is, kept on the client, or a listener of its loss. */
function staysHere(use: Use, excerpt: Node, fact: Fact, context: CheckoutContext): boolean {
  if (use.kind === 'argument')
    return isOwningListener(use.call, fact, context) || takesListenerOff(use.call, fact, context);
  return use.kind === 'bound'
    ? !use.inCollection || isInLocalObject(excerpt, fact, context)
    : use.kind === 'stored' && isReleaseOfClient(use.target, fact, context);
}

/** What becomes of the client where an object is used whose functions captured it: one that is called, read or passed on does what it does, and whoever gets the object answers for the client. */
export function effectOfObject(
  fact: Fact,
  object: LocalObject,
  excerpt: Node,
  context: CheckoutContext,
): Fact {
  const use = useOf(excerpt);
  if (use.kind === 'neutral') return fact;
  const isOfObject = use.kind === 'receiver' && use.member !== undefined;
  const used = isOfObject ? [object.get(use.member ?? '')] : [...object.values()];
  const captured = used.flatMap((value) => {
    const closure = value && (isFunction(value) ? value : context.closureOf(value));
    return closure ? [capturedIn(closure, fact, context)] : [];
  });
  const isPassedOn = use.kind === 'returned' || use.kind === 'stored' || use.kind === 'bound';
  return captured.some(
    (each) => (isPassedOn && each.places.length > 0) || mayGiveAway(each, context),
  )
    ? escape(fact)
    : fact;
}

/** A member of an object that a name of this function stands for, and that has no client of its own: what becomes of the object is followed. */
function isInLocalObject(
  member: Node,
  fact: Fact,
  { accessPaths, file }: CheckoutContext,
): boolean {
  const object = parentOf(parentOf(member) ?? member);
  const declared = findAncestor(
    member,
    (each): each is TSESTree.VariableDeclarator => each.type === 'VariableDeclarator',
  );
  return (
    object?.type === 'ObjectExpression' &&
    declared?.init !== undefined &&
    declared.init !== null &&
    unwrap(declared.init) === object &&
    localObject(declared.id, file) !== undefined &&
    !isOurs(accessPaths.valueOf(object, fact))
  );
}

/** What a function that is called does with the client that it captured is not known where its body is cut off: it may release it in its next round. */
export function throughCut(fact: Fact, called: FunctionNode, context: CheckoutContext): Fact {
  return mayGiveAway(capturedIn(called, fact, context), context) ? escape(fact) : fact;
}

/** `client.release = () => …`: calls of it are releases as before. */
function isReleaseOfClient(
  target: Node | null,
  fact: Fact,
  { acquisition: { driver }, accessPaths }: CheckoutContext,
): boolean {
  return (
    isMember(target, ...driver.releases) && accessPaths.valueOf(target.object, fact) === 'client'
  );
}

/** Where a function reads the client that it captured, and what holds then. */
interface Captured {
  readonly places: readonly Node[];
  /** The fact outside, and the names that the function gives the client. */
  readonly fact: Fact;
}

/**
 * The places in a function, and in the functions of this file that it names, where an access path of ours is read that is not their
 * own, or a name that they gave it. One that acquires has a client of its own.
 */
function capturedIn(closure: FunctionNode, outside: Fact, context: CheckoutContext): Captured {
  const { acquisition, file, accessPaths } = context;
  const places: Node[] = [];
  const aliases = new Set<Variable>();
  let fact = outside;
  // The set grows while it is read: it is the worklist.
  const closures = new Set([closure]);
  for (const each of closures) {
    walk(file, each.body, (node) => {
      const variable = node.type === 'Identifier' ? variableOf(file, node) : undefined;
      if (variable === undefined || (isDeclaredIn(each, variable) && !aliases.has(variable)))
        return true;
      const named = context.closureOf(node);
      if (named !== null && !contains(named, acquisition.call)) closures.add(named);
      const value = accessPaths.valueOf(node, fact);
      if (!isOurs(value)) return true;
      places.push(node);
      const name = nameGiven(node);
      const alias = name && variableOf(file, name);
      const accessPath = name && accessPaths.accessPathOf(name);
      if (alias !== undefined && accessPath !== undefined) {
        aliases.add(alias);
        fact = withAccessPath(fact, accessPath, value);
      }
      return true;
    });
  }
  return { places, fact };
}

/** The name that gets a value as it is: `const own = client`. */
function nameGiven(value: Node): Node | undefined {
  const use = useOf(value);
  if (use.kind !== 'bound' || use.inCollection) return undefined;
  const binding = findAncestor(
    value,
    (each): each is TSESTree.VariableDeclarator | TSESTree.AssignmentExpression =>
      each.type === 'VariableDeclarator' || each.type === 'AssignmentExpression',
  );
  const target = binding?.type === 'VariableDeclarator' ? binding.id : binding?.left;
  return target?.type === 'Identifier' ? target : undefined;
}

/** A parameter, or a variable of its own. */
function isDeclaredIn(fn: FunctionNode, { defs: [definition] }: Variable): boolean {
  return definition !== undefined && contains(fn, definition.name as unknown as Node);
}

function mayGiveAway({ places, fact }: Captured, context: CheckoutContext): boolean {
  return places.some((each) => mayGiveAwayAt(each, fact, context));
}

function mayGiveAwayAt(captured: Node, fact: Fact, context: CheckoutContext): boolean {
  const { acquisition, accessPaths } = context;
  const { driver } = acquisition;
  const use = useOf(captured);
  const value = accessPaths.valueOf(captured, fact);
  if (value === 'container' && opensList(captured, use, context)) return true;
  switch (use.kind) {
    case 'stored':
    case 'returned':
      return true;
    case 'callee':
      return value !== 'client';
    case 'receiver':
      return driver.releases.includes(use.member ?? '');
    case 'bound':
      return !use.inCollection && nameGiven(captured) === undefined;
    case 'argument':
      return (
        !joinsQuery(captured, use, driver) &&
        !(use.call.type === 'CallExpression' && onlyBorrows(fact, use.call, context))
      );
    default:
      return false;
  }
}
