import { type Node, isFunction } from '../syntax/node.ts';
import { oncePerFile } from '../syntax/once-per-file.ts';
import {
  findAncestor,
  keyName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
  declarationOf,
} from '../syntax/source-file.ts';

/** The values of an object, by the names of its members. */
export type LocalObject = ReadonlyMap<string, Node>;

const known = oncePerFile(() => new Map<Variable, LocalObject | undefined>());

/** The object, written in place, that a name of the function around it stands for, and that nothing but this function sees before it is handed on. */
export function localObject(name: Node, file: SourceFile): LocalObject | undefined {
  const variable = variableOf(file, name);
  if (variable === undefined) return undefined;
  const objects = known(file);
  if (!objects.has(variable)) objects.set(variable, objectOf(variable));
  return objects.get(variable);
}

function objectOf(variable: Variable): LocalObject | undefined {
  const declared = declarationOf(variable);
  if (
    declared?.type !== 'VariableDeclarator' ||
    declared.init === null ||
    isDisposedOf(declared) ||
    writesTo(variable).length > 0
  )
    return undefined;
  const object = unwrap(declared.init);
  const enclosing = findAncestor(declared, isFunction);
  return object.type === 'ObjectExpression' &&
    enclosing !== undefined &&
    variable.references.every(
      ({ identifier }) =>
        findAncestor(identifier as Node, isFunction) === enclosing && !isSet(identifier as Node),
    )
    ? membersWritten(object)
    : undefined;
}

/** `using tx = …` calls a function of the object at the end of its block. */
function isDisposedOf(declared: Node): boolean {
  const declaration = parentOf(declared);
  return declaration?.type === 'VariableDeclaration' && /using/u.test(declaration.kind);
}

/** `tx.commit = …` */
function isSet(name: Node): boolean {
  const member = parentOf(name);
  const set = member?.type === 'MemberExpression' ? parentOf(member) : undefined;
  return set?.type === 'AssignmentExpression' && set.left === member;
}

/** The members of an object that is written in place, where all of them are known. */
export function membersWritten(source: Node): LocalObject | undefined {
  const object = unwrap(source);
  if (object.type !== 'ObjectExpression') return undefined;
  const members = new Map<string, Node>();
  for (const each of object.properties) {
    const key = each.type === 'Property' ? keyName(each.key, each.computed) : undefined;
    if (each.type !== 'Property' || key === undefined) return undefined;
    members.set(key, unwrap(each.value));
  }
  return members;
}
