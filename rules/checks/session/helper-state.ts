import type { TSESTree } from '@typescript-eslint/types';
import type { Library } from '../../model/library.ts';
import { lastingKind, statementKinds, type StatementKind } from '../../model/sql.ts';
import { heldCallAt, type HoldingCode } from '../../summaries/held-calls.ts';
import { heldIn, type Given } from '../../summaries/held-paths.ts';
import { createEffects, type Effect, type EffectsOf } from '../../summaries/effects.ts';
import { callsIn } from '../../summaries/calls-made.ts';
import { calledMember, type Request } from '../../syntax/call-chain.ts';
import { isFunction, type Node, type CallNode } from '../../syntax/node.ts';
import { findAncestor, unwrap } from '../../syntax/source-file.ts';
import { useOf } from '../../syntax/uses.ts';
import { joinsQuery } from '../../typestate/joined-queries.ts';
import { isCarriedBy } from '../../values/carried-statements.ts';
import { isAt } from '../../values/handle-paths.ts';
import type { Here } from '../../values/resolver.ts';
import { wayOver } from '../../values/sent-at.ts';
import { mayWriteLastingStatement, sqlTexts } from '../../values/texts/session-texts.ts';

/** A statement that a helper sends over the handle which it is given. */
interface StatementInside extends Effect {
  readonly kinds: readonly StatementKind[];
}

const statementsInside: EffectsOf<StatementInside, readonly Given[]> = createEffects({
  partsOf: (given) =>
    given.flatMap(({ level, index, key, held: { library } }) => [level, index, key, library]),
  effectsIn({ node, file }, given, resolver) {
    const code: HoldingCode = {
      file,
      resolver,
      paths: heldIn(node, given, file),
      ofThis: given.filter(({ level }) => level === null),
    };
    return callsIn(node, file).flatMap((request) =>
      statementsAt(request, code).filter(({ kinds }) => isSure(request) || !lasts(kinds)),
    );
  },
  identityOf: ({ node }) => [node],
});

const branches: ReadonlySet<string> = new Set([
  'IfStatement',
  'SwitchCase',
  'ConditionalExpression',
  'LogicalExpression',
]);

/** It stands under no test of its function, which what that is given may decide. */
function isSure(request: Request): boolean {
  const enclosing = findAncestor(
    request,
    (each): each is Node => isFunction(each) || branches.has(each.type),
  );
  return enclosing === undefined || isFunction(enclosing);
}

function lasts(kinds: readonly StatementKind[]): boolean {
  return lastingKind(kinds) !== undefined;
}

/** What a request in a helper sends, itself or through another helper. */
function statementsAt(request: Request, code: HoldingCode): readonly StatementInside[] {
  const { file, paths } = code;
  const text = textOver(request, (each) => paths.at(each)?.library ?? undefined, code);
  if (text === undefined) return helperStatements(request, code);
  if (!mayWriteLastingStatement(file)) return [];
  const kinds = surelySent(text, code);
  return kinds.length > 0 ? [{ node: request, file, via: [], kinds }] : [];
}

/** What a helper sends over the handle that a call gives it, where one does. */
export function helperStatements(request: Request, code: HoldingCode): readonly StatementInside[] {
  const called = request.type === 'CallExpression' ? heldCallAt(request, code) : undefined;
  return called === undefined || request.type !== 'CallExpression'
    ? []
    : (statementsInside(called.fn, request.callee, code, called.given) ?? []);
}

/** Of several texts each has to leave something behind, because what the helper is given may choose. */
function surelySent(text: Node, { file, resolver }: Here): readonly StatementKind[] {
  const alternatives = sqlTexts(text, { file, resolver }).map(statementKinds);
  const harmless = alternatives.find((kinds) => !lasts(kinds));
  return harmless ?? alternatives[0] ?? [];
}

/** The text of a statement that a request sends over the handle: of ``tx`…` ``, `tx.execute(text)`, `sequelize.query(text, { transaction })` and ``sql`…`.execute(tx)``. */
export function textOver(
  request: Request,
  libraryAt: (node: Node) => Library | undefined,
  here: Here,
): Node | undefined {
  const way = wayOver(request, libraryAt);
  const library = way && libraryAt(way.handle);
  if (way?.asked === request && library !== undefined)
    return request.type === 'TaggedTemplateExpression'
      ? request
      : library.texts.some((path) => isAt(way.path, path))
        ? request.arguments[0]
        : undefined;
  return request.type === 'CallExpression' ? textTold(request, libraryAt, here) : undefined;
}

function textTold(
  call: CallNode,
  libraryAt: (node: Node) => Library | undefined,
  { file, resolver }: Here,
): Node | undefined {
  const { callee } = call;
  const [first, second] = call.arguments;
  if (callee.type !== 'MemberExpression' || first === undefined) return undefined;
  const carrier = libraryAt(first);
  if (carrier !== undefined)
    return isCarriedBy(call, carrier, file, resolver) ? callee.object : undefined;
  return second?.type === 'ObjectExpression' && isToldIn(second, call, libraryAt)
    ? first
    : undefined;
}

/** `{ transaction: t }` after a text. */
function isToldIn(
  options: TSESTree.ObjectExpression,
  call: CallNode,
  libraryAt: (node: Node) => Library | undefined,
): boolean {
  return valuesOf(options).some((each) => {
    const library = libraryAt(each);
    return (
      library?.texts.includes(calledMember(call) ?? '') === true &&
      joinsQuery(each, useOf(each), library)
    );
  });
}

function valuesOf({ properties }: TSESTree.ObjectExpression): readonly Node[] {
  return properties.flatMap((each) => (each.type === 'Property' ? [unwrap(each.value)] : []));
}
