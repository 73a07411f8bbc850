import type { TSESTree } from '@typescript-eslint/types';
import type { CallNode, ClassNode, FunctionNode } from '../syntax/node.ts';
import { paramsOf } from '../syntax/parameters.ts';
import {
  memberName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  declarationOf,
} from '../syntax/source-file.ts';
import { isSamePlace, placeOf } from '../values/apart.ts';
import { constructorOf, indexOfField } from '../values/constructors.ts';
import { assignedIn } from '../values/assigned.ts';
import type { AbstractValue } from '../values/abstract-values.ts';
import { handleAt } from '../values/handles.ts';
import { ownerOfThis } from '../values/resolve-this.ts';
import type { Resolver } from '../values/resolver.ts';
import type { Place } from '../values/same-pool.ts';

/** A field that an object gets from whoever makes it, and keeps. */
interface FieldGiven {
  readonly owner: ClassNode;
  /** The constructor's parameter. */
  readonly parameter: FunctionNode['params'][number];
  readonly index: number;
}

/** `this.db` in a class with `constructor(private readonly db: Knex)`, or with `this.db = db` in its constructor and nowhere else. */
export function fieldGiven({ node, file }: Place, resolver: Resolver): FieldGiven | undefined {
  const plain = unwrap(node);
  if (plain.type !== 'MemberExpression') return undefined;
  // `this.dataSource.manager` speaks to the pool of `this.dataSource`.
  if (handleAt(plain.object, file, resolver) !== undefined)
    return fieldGiven({ node: plain.object, file }, resolver);
  const name = memberName(plain);
  const self = unwrap(plain.object);
  const owner = self.type === 'ThisExpression' ? ownerOfThis(self) : undefined;
  if (name === undefined || owner?.kind !== 'class' || owner.isStatic) return undefined;
  const maker = constructorOf(owner.node);
  const params = maker === undefined ? [] : paramsOf(maker);
  const index = maker === undefined ? -1 : indexOfField(name, maker, file);
  const parameter = params[index];
  return parameter && { owner: owner.node, parameter, index };
}

/** The pool in a field of the object that a method is called on, as whoever made the object gave it: `repository.add()` after `const repository = new Repository(db)`. */
export function fieldOfReceiver(
  pool: Place,
  { callee }: CallNode,
  { resolver, file }: { readonly resolver: Resolver; readonly file: SourceFile },
): Place | 'unknown' | undefined {
  const field = fieldGiven(pool, resolver);
  if (field === undefined || callee.type !== 'MemberExpression') return undefined;
  const receiver = resolver.abstractValueOf(callee.object, file);
  if (!isOf(receiver, field, pool.file) || !isSetOnce(callee.object, file)) return undefined;
  const made = receiver.site?.node;
  if (receiver.site === undefined || made?.type !== 'NewExpression') return undefined;
  const argument = made.arguments[field.index];
  if (argument !== undefined)
    return argument.type === 'SpreadElement'
      ? 'unknown'
      : { node: argument, file: receiver.site.file };
  return defaultOf(field, pool.file);
}

function defaultOf({ parameter }: FieldGiven, file: SourceFile): Place | 'unknown' {
  const declared = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter;
  return declared.type === 'AssignmentPattern' ? { node: declared.right, file } : 'unknown';
}

function isOf(
  receiver: AbstractValue | undefined,
  { owner }: FieldGiven,
  file: SourceFile,
): receiver is AbstractValue & { readonly kind: 'instance' } {
  return (
    receiver?.kind === 'instance' && isSamePlace(placeOf(receiver), placeOf({ node: owner, file }))
  );
}

/** Nothing else is ever kept under the name. */
function isSetOnce(receiver: TSESTree.Node, file: SourceFile): boolean {
  const plain = unwrap(receiver);
  if (plain.type === 'MemberExpression')
    return (assignedIn(file).byName.get(memberName(plain) ?? '') ?? []).length < 2;
  if (plain.type !== 'Identifier') return true;
  const variable = variableOf(file, plain);
  const definition = declarationOf(variable);
  if (variable === undefined || definition?.type !== 'VariableDeclarator') return true;
  return (
    writesTo(variable).length <= (definition.init === null ? 1 : 0) ||
    (parentOf(definition) as TSESTree.VariableDeclaration | undefined)?.kind === 'const'
  );
}
