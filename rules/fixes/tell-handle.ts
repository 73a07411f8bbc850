import type { TSESTree } from '@typescript-eslint/types';
import type { Given } from '../model/library.ts';
import { calledMember } from '../syntax/call-chain.ts';
import { keyName, unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { HandleCall } from '../values/handle-call.ts';
import type { Edit, Suggestion } from './suggestion.ts';

/** `User.create(values)` becomes `User.create(values, { transaction })`, and `User.query()` becomes `User.query(trx)`. */
export function tellHandle(
  { library, path }: HandleCall,
  call: TSESTree.CallExpression,
  client: string,
  file: SourceFile,
): readonly Suggestion[] {
  const method = path.at(-1);
  const given = method === undefined ? undefined : library.mayBind[method];
  const told = method === undefined ? undefined : callOf(method, call);
  const edit = given === undefined || told === undefined ? undefined : tell(told, given, client);
  if (edit === undefined || file.text.slice(...edit.range) !== '') return [];
  return [{ messageId: 'tellHandle', data: { client: wordsOf(given, client) }, edits: [edit] }];
}

function wordsOf(given: Given | undefined, client: string): string {
  return given === undefined || given.option === null
    ? client
    : `{ ${propertyOf(given.option, client)} }`;
}

function propertyOf(option: string, client: string): string {
  return option === client ? option : `${option}: ${client}`;
}

/** The call of a method in a chain of calls. */
function callOf(
  method: string,
  call: TSESTree.CallExpression,
): TSESTree.CallExpression | undefined {
  if (calledMember(call) === method) return call;
  const object = call.callee.type === 'MemberExpression' ? unwrap(call.callee.object) : undefined;
  return object?.type === 'CallExpression' ? callOf(method, object) : undefined;
}

/** Only where nothing stands that would have to be understood: after the last argument, or in an object that is written there. */
function tell(call: TSESTree.CallExpression, given: Given, client: string): Edit | undefined {
  const { arguments: args } = call;
  if (args.some(({ type }) => type === 'SpreadElement')) return undefined;
  const present = args[given.at];
  if (args.length === given.at) return appended(call, wordsOf(given, client));
  return present?.type === 'ObjectExpression' && given.option !== null
    ? added(present, given.option, client)
    : undefined;
}

function appended(call: TSESTree.CallExpression, text: string): Edit {
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
