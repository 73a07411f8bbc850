import { transactionStep } from '../model/protocols.ts';
import type { TSESTree } from '@typescript-eslint/types';
import type { State } from '../flow/explore.ts';
import { hole } from '../model/sql.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { memberName, type SourceFile } from '../syntax/source-file.ts';
import { placeOf } from '../syntax/mention.ts';
import type { Resolver } from '../values/resolver.ts';
import { sqlOf } from '../values/texts/text.ts';
import { textsOf } from '../values/texts/texts.ts';
import type { HeldStatement } from './held-span.ts';

/** The queries that are made in these states, and the calls of helpers that surely send something, in the order of the file. */
export function heldStatements(
  checkout: Checkout,
  held: readonly State<Fact>[],
  file: SourceFile,
  resolver: Resolver,
): readonly HeldStatement[] {
  const calls = new Map<TSESTree.CallExpression, string | undefined>();
  for (const state of held) {
    const {
      point: { kind, node },
    } = state;
    if (kind !== 'eval' || node?.type !== 'CallExpression' || calls.has(node)) continue;
    if (isStatement(node, state, checkout))
      calls.set(node, wordsOf(node, checkout, file, resolver));
  }
  const inOrder = [...calls].sort(([a], [b]) => a.range[0] - b.range[0]);
  return inOrder.map(([call, words]) => ({ place: placeOf(call), words }));
}

function isStatement(
  call: TSESTree.CallExpression,
  state: State<Fact>,
  checkout: Checkout,
): boolean {
  const { driver } = checkout.acquisition;
  if (call.callee.type !== 'MemberExpression' || !checkout.holdsClient(call.callee.object, state))
    return (checkout.session.sent.get(call)?.kinds.length ?? 0) > 0;
  const name = memberName(call.callee) ?? '';
  return driver.queries.includes(name) || transactionStep(driver, name) !== undefined;
}

function wordsOf(
  call: TSESTree.CallExpression,
  { acquisition: { driver }, session }: Checkout,
  file: SourceFile,
  resolver: Resolver,
): string | undefined {
  const name = call.callee.type === 'MemberExpression' ? (memberName(call.callee) ?? '') : '';
  const step = transactionStep(driver, name);
  if (step !== undefined) return step.toUpperCase();
  if (driver.queries.includes(name)) return wordsIn(call, file, resolver);
  const source = session.sent.get(call)?.source;
  return source === undefined ? undefined : wordsIn(source.query, source.file, resolver);
}

/** Undefined when the text is not known, or is one of several that begin differently. */
function wordsIn(
  { arguments: [argument] }: TSESTree.CallExpression,
  file: SourceFile,
  resolver: Resolver,
): string | undefined {
  const texts = argument === undefined ? [] : textsOf(argument, { file, resolver }).map(sqlOf);
  const [only, ...more] = new Set(texts.map(firstWords));
  return more.length > 0 ? undefined : only;
}

const maximalWords = 4;
const longest = 60;

/** `UPDATE accounts\n SET balance = $1` begins with "UPDATE accounts SET balance". A bracket, a text and a part that is not known end it. */
function firstWords(sql: string): string | undefined {
  const [known = ''] = withoutComments(sql).split(hole);
  const [plain = ''] = known.split(/[('$;]/u);
  const words = plain.trim().split(/\s+/u).slice(0, maximalWords);
  while (words.length > 1 && words.join(' ').length > longest) words.pop();
  const text = words.join(' ').replace(/(?<![\s,.])[\s,.]+$/u, '');
  return /^[a-z]/iu.test(text) && text.length <= longest ? text : undefined;
}

function withoutComments(sql: string): string {
  return sql.replace(/^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/u, '');
}
