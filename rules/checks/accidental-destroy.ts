import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { isChain } from '../syntax/chains.ts';
import { methods } from '../model/drivers.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { walk } from '../syntax/preorder.ts';
import {
  contains,
  memberName,
  parentOf,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { Finding, PathStep } from './finding.ts';
import { checkedOut, stepOf } from './path-step.ts';
import { excerpt } from '../syntax/excerpt.ts';
import type { Analysis } from './analysis.ts';
import { fulfilledValue, truthyValue, type ValueContext } from './truthy-values.ts';
import { isPooledClient } from './session/pooled-clients.ts';

const rule = 'no-accidental-destroy';

/**
 * Releases that are given something truthy by accident, and so close a connection that works (pg-pool 3.14 `index.js`, `_release`:
 * whatever is truthy counts as an error).
 */
export function findAccidentalDestroys(analysis: Analysis): readonly Finding[] {
  const values: ValueContext = {
    file: analysis.file,
    isClient: (node) =>
      isPooledClient(node, analysis) ||
      analysis.resolver.abstractValueOf(node, analysis.file)?.kind === 'pool',
  };
  const followed = analysis.checkouts.flatMap((checkout) =>
    [...checkout.releaseSites]
      .filter((site) => releases(site, checkout))
      .flatMap((site) => findingAt(site, values, checkout) ?? []),
  );
  return [
    ...declaredClients(analysis).flatMap((site) => findingAt(site, values) ?? []),
    ...followed,
  ];
}

/** True for a call of the release itself, not of a helper that releases, and for a function that somebody else calls. */
function releases(site: Node, checkout: Checkout): boolean {
  // What a method of the program's own object is given is its own matter.
  if (checkout.acquisition.owner !== undefined) return false;
  if (site.type !== 'CallExpression' || isHandler(site)) return true;
  return (
    site.arguments.length > 0 &&
    checkout.exploration.states.some(
      ({ point, fact }) =>
        point.kind === 'eval' &&
        contains(site, point.node ?? site) &&
        checkout.valueOf(site.callee, fact) === 'release',
    )
  );
}

/** Releases of clients that only their type tells: `(client: PoolClient) => client.query(…).then(client.release)`. */
function declaredClients({ file, resolver }: Analysis): readonly Node[] {
  if (!/\.release(?:\s*\)|\(\s*[^)\s])/u.test(file.text)) return [];
  const sites: Node[] = [];
  walk(file, file.ast, (node) => {
    if (node.type !== 'MemberExpression' || memberName(node) !== methods.release) return true;
    const up = parentOf(node);
    const isSite =
      up?.type === 'CallExpression' && (up.callee === node ? up.arguments.length > 0 : isChain(up));
    if (isSite && resolver.abstractValueOf(node.object, file)?.kind === 'client')
      sites.push(up.callee === node ? up : node);
    return true;
  });
  return sites;
}

function findingAt(site: Node, analysis: ValueContext, checkout?: Checkout): Finding | undefined {
  return site.type === 'CallExpression' && !isHandler(site)
    ? givenFinding(site, analysis, checkout)
    : passedFinding(site, analysis, checkout);
}

/** `.then(client.release.bind(client))` */
function isHandler(node: Node): boolean {
  const up = parentOf(node);
  return up !== undefined && isChain(up) && up.callee !== node;
}

/** `client.release(rows)`, `done(result)` */
function givenFinding(
  call: CallNode,
  analysis: ValueContext,
  checkout: Checkout | undefined,
): Finding | undefined {
  const [argument, ...more] = call.arguments;
  const what = argument === undefined ? undefined : truthyValue(argument, analysis);
  if (argument === undefined || what === undefined) return undefined;
  const { file } = analysis;
  const brackets = file.text.slice(call.callee.range[1], argument.range[0]).lastIndexOf('(');
  const edits =
    more.length > 0 || brackets === -1
      ? []
      : [{ range: [call.callee.range[1] + brackets + 1, call.range[1] - 1] as const, text: '' }];
  return {
    rule,
    place: call.loc,
    messageId: 'given',
    data: {
      what,
      argument: excerpt(argument, file),
      release: excerpt(call.callee, file).slice(1, -1),
    },
    steps: [
      ...checkoutStep(checkout),
      stepOf(argument, file, `is ${what}, neither \`true\` nor an error.`),
      stepOf(call, file, 'closes the connection.'),
    ],
    suggestions:
      edits.length === 0
        ? []
        : [{ messageId: 'dropArgument', data: { argument: excerpt(argument, file) }, edits }],
  };
}

/** `.then(client.release)`: what the promise gives is passed. */
function passedFinding(
  fn: Node,
  analysis: ValueContext,
  checkout: Checkout | undefined,
): Finding | undefined {
  const chain = parentOf(fn);
  if (
    isFunction(fn) ||
    chain === undefined ||
    !isChain(chain) ||
    chain.callee.property.name !== 'then' ||
    chain.arguments[0] !== fn
  )
    return undefined;
  const { file } = analysis;
  const what = fulfilledValue(chain.callee.object, analysis);
  if (what === undefined || isWrapper(fn, file)) return undefined;
  const text = file.text.slice(...fn.range).replace(/\.bind\([^()]*\)$/u, '');
  return {
    rule,
    place: fn.loc,
    messageId: 'passed',
    data: { what, release: text },
    steps: [
      ...checkoutStep(checkout),
      stepOf(fn, file, `is called with ${what} and closes the connection.`),
    ],
    suggestions: [
      {
        messageId: 'callPlainly',
        data: { release: text },
        edits: [{ range: [fn.range[0], fn.range[1]], text: `() => ${text}()` }],
      },
    ],
  };
}

/** A function of the file's own that is named here takes what it likes. */
function isWrapper(fn: Node, file: SourceFile): boolean {
  const node =
    fn.type === 'Identifier'
      ? (variableOf(file, fn)?.defs[0]?.node as Node | undefined)
      : undefined;
  const value =
    node?.type === 'VariableDeclarator'
      ? node.init
      : node?.type === 'FunctionDeclaration'
        ? node
        : undefined;
  return value !== undefined && value !== null && isFunction(value);
}

function checkoutStep(checkout: Checkout | undefined): readonly PathStep[] {
  return checkout === undefined || checkout.acquisition.style === 'lent'
    ? []
    : [checkedOut(checkout)];
}
