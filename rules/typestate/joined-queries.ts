import type { Driver } from '../model/drivers.ts';
import { libraryOf } from '../model/libraries.ts';
import { calledName } from '../syntax/calls.ts';
import type { Node } from '../syntax/node.ts';
import { keyName, parentOf } from '../syntax/source-file.ts';
import type { Use } from '../syntax/uses.ts';

/** The handle, or the options with it, is given to a query that goes over it: `.transacting(trx)`, `User.create(values, { transaction: trx })`. */
export function joinsQuery(given: Node, use: Use, driver: Driver): boolean {
  const library = libraryOf(driver);
  if (library === undefined || use.kind !== 'argument') return false;
  const name = calledName(use.call.callee) ?? '';
  if (!use.inBag && library.boundBy.includes(name)) return true;
  const { joinedBy } = library;
  if (joinedBy?.methods.includes(name) !== true) return false;
  const up = parentOf(given);
  const properties = given.type === 'ObjectExpression' ? given.properties : [up];
  return properties.some(
    (each) => each?.type === 'Property' && keyName(each.key, each.computed) === joinedBy.option,
  );
}
