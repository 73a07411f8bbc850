import type { TSESTree } from '@typescript-eslint/types';
import type { Given } from '../model/library.ts';
import type { Node, CallNode } from '../syntax/node.ts';
import { keyName } from '../syntax/source-file.ts';
import type { HandleCall } from '../values/handle-call.ts';
import { callOf, givenTo, misplacedIn } from '../values/misplaced-handle.ts';
import type { Edit, Suggestion } from './suggestion.ts';

/** `User.create(values)` becomes `User.create(values, { transaction })`, and `User.query()` becomes `User.query(trx)`. */
export function tellHandle(
  taking: HandleCall,
  call: CallNode,
  client: string,
  isHandle: (node: Node) => boolean,
): readonly Suggestion[] {
  const given = givenTo(taking);
  const told = callOf(taking.path.at(-1) ?? '', call);
  const edit = given === undefined || told === undefined ? undefined : tell(told, given, client);
  if (given === undefined || told === undefined || edit === undefined) return [];
  const removed = removal(told, misplacedIn(told, given, isHandle));
  return [
    {
      messageId: 'tellHandle',
      data: { client: handleFor(given, client) },
      edits: [edit, ...removed],
    },
  ];
}

/** A last argument that has the handle and nothing else goes from where nobody looks at it. */
function removal({ arguments: args }: CallNode, misplaced: Node | undefined): readonly Edit[] {
  const [last, before] = [args.at(-1), args.at(-2)];
  const isAlone =
    last !== undefined && (last.type !== 'ObjectExpression' || last.properties.length === 1);
  return before !== undefined && last === misplaced && isAlone
    ? [{ range: [before.range[1], last.range[1]], text: '' }]
    : [];
}

/** `{ transaction: t }`, or the handle itself. */
export function handleFor({ option }: Given, client: string): string {
  return option === null ? client : `{ ${propertyOf(option, client)} }`;
}

function propertyOf(option: string, client: string): string {
  return option === client ? option : `${option}: ${client}`;
}

/** Only where nothing stands that would have to be understood: after the last argument, or in an object that is written there. */
function tell(call: CallNode, given: Given, client: string): Edit | undefined {
  const { arguments: args } = call;
  if (args.some(({ type }) => type === 'SpreadElement')) return undefined;
  const present = args[given.at];
  if (args.length === given.at) return appended(call, handleFor(given, client));
  return present?.type === 'ObjectExpression' && given.option !== null
    ? added(present, given.option, client)
    : undefined;
}

function appended(call: CallNode, text: string): Edit {
  const last = call.arguments.at(-1);
  const at = last === undefined ? call.range[1] - 1 : last.range[1];
  return { range: [at, at], text: last === undefined ? text : `, ${text}` };
}

function added(
  { properties, range }: TSESTree.ObjectExpression,
  option: string,
  client: string,
): Edit | undefined {
  if (properties.some((each) => each.type !== 'Property' || isNamed(each, option)))
    return undefined;
  const last = properties.at(-1);
  const at = last === undefined ? range[0] + 1 : last.range[1];
  const text = propertyOf(option, client);
  return { range: [at, at], text: last === undefined ? ` ${text} ` : `, ${text}` };
}

function isNamed({ key, computed }: TSESTree.Property, option: string): boolean {
  return keyName(key, computed) === option;
}
