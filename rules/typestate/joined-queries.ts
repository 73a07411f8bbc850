import type { Driver } from '../model/drivers.ts';
import { libraries, libraryOf } from '../model/libraries.ts';
import type { Given, Library } from '../model/library.ts';
import { calledName } from '../syntax/calls.ts';
import type { Node } from '../syntax/node.ts';
import { keyName, parentOf, unwrap } from '../syntax/source-file.ts';
import type { Use } from '../syntax/uses.ts';

/** The handle, or the options with it, is given to a query that goes over it: `.transacting(trx)`, `User.create(values, { transaction: trx })`. */
export function joinsQuery(given: Node, use: Use, driver: Driver): boolean {
  const library = libraryOf(driver);
  if (library === undefined || use.kind !== 'argument') return false;
  const name = calledName(use.call.callee) ?? '';
  return librariesOf(library).some((each) => {
    if (!use.inCollection && each.boundBy.includes(name)) return true;
    const place = placeFor(name, each);
    return place !== undefined && isGivenAt(given, use, place);
  });
}

/** `addPost` as well, which a relation may give. */
function placeFor(name: string, { mayBind, models: { verbs } }: Library): Given | undefined {
  if (Object.hasOwn(mayBind, name)) return mayBind[name];
  const [verb = ''] = /^[a-z]+(?=[A-Z])/u.exec(name) ?? [];
  return Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
}

/** The library of a handle, and those whose queries go over the same connections: Objection's over Knex's. */
function librariesOf(library: Library): readonly Library[] {
  return [library, ...libraries.filter(({ poolsOf }) => poolsOf === library.module)];
}

function isGivenAt(
  given: Node,
  { call, inCollection }: Use & { kind: 'argument' },
  { at, option }: Given,
): boolean {
  if (option === null) {
    const argument = call.arguments.at(at);
    return !inCollection && argument !== undefined && unwrap(argument) === unwrap(given);
  }
  if (call.arguments.length !== at + 1 && at !== -1) return false;
  const properties = given.type === 'ObjectExpression' ? given.properties : [parentOf(given)];
  return properties.some(
    (each) => each?.type === 'Property' && keyName(each.key, each.computed) === option,
  );
}
