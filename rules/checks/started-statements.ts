import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { slowWorkIn } from '../summaries/slow-work.ts';
import { isRequest, type Request } from '../syntax/call-chain.ts';
import { childrenOf } from '../syntax/preorder.ts';
import { isMember, unwrap, variableOf, writesTo } from '../syntax/source-file.ts';
import type { Place, Started } from './started.ts';
import { waitsForTurn } from './turns.ts';

type QueriesAt = (request: Request) => readonly Started[];

/** A stretch of code on its way: the queries go into `found`. */
interface Way {
  readonly place: Place;
  readonly queriesAt: QueriesAt;
  readonly found: Started[];
  /** It is on every way through the code; else on ways that several rounds may take. */
  readonly isSure: boolean;
  /** Something has been waited for on it that takes a while. */
  hasWaited: boolean;
}

/** The queries of a function's body, as far as its first `return`. */
export function collectBody(
  fn: FunctionNode,
  place: Place,
  queriesAt: QueriesAt,
): readonly Started[] {
  const way: Way = { place, queriesAt, found: [], isSure: true, hasWaited: false };
  if (fn.body.type === 'BlockStatement') collectStatements(fn.body.body, way);
  else collect(fn.body, way);
  return way.found;
}

/** The way behind them; undefined where none of the known ways goes on. */
function collectStatements(statements: readonly Node[], way: Way): Way | undefined {
  let now: Way | undefined = way;
  for (const statement of statements) {
    if (now === undefined) return undefined;
    now = collectStatement(statement, now);
  }
  return now;
}

function collectStatement(statement: Node, way: Way): Way | undefined {
  switch (statement.type) {
    case 'BlockStatement':
      return collectStatements(statement.body, way);
    case 'TryStatement':
      return collectStatements(statement.block.body, way);
    case 'IfStatement':
      return collectIf(statement, way);
    case 'ForOfStatement':
    case 'ForInStatement':
      return collectLoop(statement.right, statement.body, way);
    case 'ForStatement':
    case 'WhileStatement':
      return statement.test === null ? way : collectLoop(statement.test, statement.body, way);
    case 'SwitchStatement':
      return undefined;
    case 'ReturnStatement':
    case 'ThrowStatement':
      collect(statement, way);
      return undefined;
    case 'ExpressionStatement':
    case 'VariableDeclaration': {
      const before = way.found.length;
      collect(statement, way);
      // A query is nobody's turn.
      return way.found.length === before && waitsForTurn(statement, way.place) ? undefined : way;
    }
    default:
      return way;
  }
}

function collectIf(
  { test, consequent, alternate }: TSESTree.IfStatement,
  way: Way,
): Way | undefined {
  collect(test, way);
  collectBranches(
    test,
    (branch) => {
      collectStatement(consequent, branch);
    },
    (branch) => {
      if (alternate !== null) collectStatement(alternate, branch);
    },
    way,
  );
  // What comes after a branch that leaves is not reached on every way.
  const [yes, no] = [leaves(consequent), alternate !== null && leaves(alternate)];
  if (yes && no) return undefined;
  if (yes) return wayWhere(test, false, way);
  return no ? wayWhere(test, true, way) : way;
}

function collectLoop(test: Node, body: Node, way: Way): Way {
  if (isPassedOnce(test, way.place)) {
    collectStatement(body, way);
    return way;
  }
  const rounds = wayWhere(test, true, way);
  if (rounds !== undefined) collectStatement(body, { ...rounds, isSure: false });
  return way;
}

/** `for (const role of roles)`, `index < roles.length`, where the list is written and has elements. */
function isPassedOnce(test: Node, { file, resolver }: Place): boolean {
  const plain = unwrap(test);
  const [list] = plain.type === 'BinaryExpression' ? [lengthOf(plain.right)] : [plain];
  const value = list && resolver.abstractValueOf(list, file);
  return value?.kind === 'array' && value.node.elements.length > 0;
}

function lengthOf(node: Node): Node | undefined {
  return isMember(node, 'length') ? node.object : undefined;
}

/** Where both branches query, one is sure. */
function collectBranches(
  test: Node,
  first: (way: Way) => void,
  second: (way: Way) => void,
  way: Way,
): void {
  const [yes, no]: readonly [Started[], Started[]] = [[], []];
  first({ ...way, found: yes });
  second({ ...way, found: no });
  if (isSureIn(yes) && isSureIn(no)) way.found.push(...yes);
  else
    for (const [found, isMet] of [
      [yes, true],
      [no, false],
    ] as const) {
      const own = wayWhere(test, isMet, way);
      if (own === undefined) continue;
      way.found.push(...found.map((each) => ({ ...each, isSure: each.isSure && own.isSure })));
    }
}

function isSureIn(found: readonly Started[]): boolean {
  return found.some(({ isSure }) => isSure);
}

/** The way on which a test has been met, or not; undefined where nobody knows whether one leads there. */
function wayWhere(test: Node, isMet: boolean, way: Way): Way | undefined {
  const truth = truthOf(test, way.place);
  if (truth !== undefined) return truth === isMet ? way : undefined;
  return way.place.rounds.passes(test, isMet) ? { ...way, isSure: false } : undefined;
}

/** What an expression gives where its test is known, and which it is: `trx && load(trx)`, `!since && load(trx)` of a call without `since`. */
export function chosenIn(node: Node, place: Place): Node | undefined {
  if (node.type === 'LogicalExpression' && node.operator === '&&')
    return truthOf(node.left, place) === true ? node.right : undefined;
  if (node.type !== 'ConditionalExpression') return undefined;
  const truth = truthOf(node.test, place);
  return truth === undefined ? undefined : truth ? node.consequent : node.alternate;
}

/** `if (trx)`: what is held is there, and what the call left out is not. */
function truthOf(test: Node, place: Place): boolean | undefined {
  const plain = unwrap(test);
  if (plain.type === 'UnaryExpression' && plain.operator === '!') {
    const truth = truthOf(plain.argument, place);
    return truth === undefined ? undefined : !truth;
  }
  if (place.paths.at(plain) !== undefined) return true;
  return isOmitted(plain, place) ? false : undefined;
}

function isOmitted(node: Node, { omitted, file }: Place): boolean {
  const variable = variableOf(file, node);
  return (
    variable !== undefined &&
    omitted.some((param) => variableOf(file, param) === variable) &&
    writesTo(variable).length === 0
  );
}

function leaves(branch: Node): boolean {
  const last = branch.type === 'BlockStatement' ? branch.body.at(-1) : branch;
  return (
    last?.type === 'ReturnStatement' ||
    last?.type === 'ThrowStatement' ||
    last?.type === 'ContinueStatement'
  );
}

function collect(node: Node, way: Way): void {
  if (isFunction(node)) return;
  switch (node.type) {
    case 'ConditionalExpression':
      collect(node.test, way);
      collectBranches(
        node.test,
        (branch) => {
          collect(node.consequent, branch);
        },
        (branch) => {
          collect(node.alternate, branch);
        },
        way,
      );
      return;
    case 'LogicalExpression':
      collect(node.left, way);
      collectRight(node, way);
      return;
    case 'AwaitExpression':
      collectAwaited(node, way);
      return;
    default:
      if (isRequest(node) && collectQueries(node, way)) return;
  }
  for (const child of childrenOf(way.place.file, node)) collect(child, way);
}

function collectRight({ operator, left, right }: TSESTree.LogicalExpression, way: Way): void {
  const own = wayWhere(left, operator === '&&', way);
  if (own !== undefined) collect(right, own);
}

/** Whether a request is a query. */
function collectQueries(request: Request, way: Way): boolean {
  const started = way.queriesAt(request);
  way.found.push(
    ...started.map((each) => ({
      ...each,
      isSure: each.isSure && way.isSure,
      isBehind: each.isBehind || way.hasWaited,
    })),
  );
  return started.length > 0;
}

function collectAwaited({ argument }: TSESTree.AwaitExpression, way: Way): void {
  const before = way.found.length;
  collect(argument, way);
  const { file, resolver } = way.place;
  way.hasWaited ||=
    isSureIn(way.found.slice(before)) || slowWorkIn(argument, file, resolver) !== undefined;
}
