import type { TSESTree } from '@typescript-eslint/types';
import { anyVerb, type Builds, type Verb } from '../model/built.ts';
import { libraries } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { constantText } from '../syntax/constants.ts';
import { calledName } from '../syntax/calls.ts';
import { methodsBehind, nextInChain, waitFor } from '../syntax/call-chain.ts';
import { isClass, type Node, type CallNode } from '../syntax/node.ts';
import { someIn, walk } from '../syntax/preorder.ts';
import { keyName, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { isAt, waysTo, type Way } from '../values/handle-paths.ts';
import { handleAt } from '../values/handles.ts';
import type { Here } from '../values/resolver.ts';
import { spokenTo } from './spoken-to.ts';
import { nameOfClass, tableNamed, type NamedTable } from './table-names.ts';
import type { WrittenQuery } from './written-query.ts';

/** Above this a file is generated. */
const mostOfAFile = 2000;

/** The calls of a file that have a library build a query, in the order of the file. */
export function findQueries(analysis: Here): readonly WrittenQuery[] {
  const { file } = analysis;
  const found: WrittenQuery[] = [];
  walk(file, file.ast, (node) => {
    if (found.length >= mostOfAFile) return false;
    if (node.type === 'CallExpression') found.push(...queriesOf(node, analysis));
    return true;
  });
  return found;
}

function queriesOf(call: CallNode, analysis: Here): readonly WrittenQuery[] {
  if (!mayBuild(call)) return [];
  const known = spokenTo(call, analysis);
  for (const { library, ...way } of known)
    if (library?.builds) {
      const found = built(call, way, library.builds, true, analysis);
      if (found.length > 0) return found;
    }
  return known.length > 0 ? [] : perhapsBuilt(call, analysis);
}

/** Nothing is known of what is asked, and what it is given is a table; a text is one where a method after the call sends the query. */
function perhapsBuilt(call: CallNode, analysis: Here): readonly WrittenQuery[] {
  const way = waysTo(call)[1];
  if (way === undefined || unwrap(way.handle).type === 'CallExpression') return [];
  if (analysis.resolver.abstractValueOf(call.callee, analysis.file)?.kind === 'function') return [];
  for (const { builds, sends } of libraries) {
    const found = builds === null ? [] : built(call, way, builds, false, analysis);
    if (
      found.some(({ table }) => table !== null) &&
      (isDeclared(call) || isSentBehind(call, sends))
    )
      return found;
  }
  return [];
}

function isDeclared({ arguments: [first] }: CallNode): boolean {
  return first !== undefined && constantText(first) === undefined;
}

function isSentBehind(call: CallNode, sends: Library['sends']): boolean {
  const behind = methodsBehind(call);
  return sends.some(({ by }) => by?.some((name) => behind.includes(name)) === true);
}

function built(
  call: CallNode,
  way: Way,
  builds: Builds,
  isSure: boolean,
  analysis: Here,
): readonly WrittenQuery[] {
  const row = builds.calls.find(({ paths }) => paths.some((path) => isAt(way.path, path)));
  if (row === undefined) return [];
  const chain = chainBehind(call);
  const named = tableOf(call, chain, way, row, builds, analysis);
  const query = {
    place: (call.callee.type === 'MemberExpression' ? call.callee.property : call).loc,
    inCapitals: builds.inCapitals,
    isSure,
  };
  const verbs = verbsOf(call, chain, row);
  const own = { ...query, verbs, table: named?.name ?? null };
  return own.table !== null && reachesFurther([call, ...chain], named, builds, analysis.file)
    ? [own, { ...query, verbs: anyVerb, table: null }]
    : [own];
}

type Row = Builds['calls'][number];

/** Where nobody waits for the query yet, methods that are called on it later may make it any other. */
function verbsOf(
  call: CallNode,
  chain: readonly CallNode[],
  { verbs, behind }: Row,
): readonly Verb[] {
  const said = chain.flatMap(({ callee }) => {
    const name = calledName(callee) ?? '';
    return (Object.hasOwn(behind, name) ? behind[name] : undefined) ?? [];
  });
  if (said.length > 0) return [...new Set(said)];
  const isOpen = waitFor(call) !== 'waited for';
  return isOpen ? [...new Set([...verbs, ...Object.values(behind).flat()])] : verbs;
}

function tableOf(
  call: CallNode,
  chain: readonly CallNode[],
  { handle, path }: Way,
  { table }: Row,
  { tables }: Builds,
  context: Here,
): NamedTable | undefined {
  for (const where of table) {
    const node = typeof where === 'string' ? call.arguments[0] : argumentOf(chain, where.behind);
    const found =
      where === 'handle'
        ? tableOfHandle(handle, tables, context)
        : where === 'member'
          ? tableOfMember(path, tables)
          : node && tableNamed(node, tables, context);
    if (found !== undefined) return found;
  }
  return undefined;
}

function argumentOf(chain: readonly CallNode[], method: string): Node | undefined {
  return chain.find(({ callee }) => calledName(callee) === method)?.arguments[0];
}

/** `prisma.user.findMany` */
function tableOfMember(
  [member]: readonly string[],
  { unnamed }: Builds['tables'],
): NamedTable | undefined {
  return unnamed === 'same' && member !== undefined
    ? { name: member.replace(/^./u, (first) => first.toUpperCase()), declared: undefined }
    : undefined;
}

/** A class of models, an object of one, or a repository of a class. */
function tableOfHandle(handle: Node, tables: Builds['tables'], here: Here): NamedTable | undefined {
  const { file, resolver } = here;
  const plain = unwrap(handle);
  const named = tableNamed(plain, tables, here);
  if (named !== undefined) return named;
  const value = resolver.abstractValueOf(plain, file);
  if ((value?.kind === 'class' || value?.kind === 'instance') && isClass(value.node)) {
    const name = nameOfClass(value.node, tables, value.file);
    if (name !== undefined) return { name, declared: { node: value.node, file: value.file } };
  }
  return tableOfRepository(plain, tables, here);
}

/** `Repository<User>`, `source.getRepository(User)` */
function tableOfRepository(
  handle: Node,
  tables: Builds['tables'],
  here: Here,
): NamedTable | undefined {
  const { file, resolver } = here;
  if (handle.type === 'CallExpression')
    return handle.arguments[0] && tableNamed(handle.arguments[0], tables, here);
  const site = handleAt(handle, file, resolver)?.site;
  const type = site && typeArgumentOf(site.node);
  if (type !== undefined && site !== undefined)
    return tableNamed(type, tables, { file: site.file, resolver });
  return undefined;
}

function typeArgumentOf(node: Node): Node | undefined {
  const type = node.type === 'TSTypeReference' ? node : annotationOf(node);
  const argument = type?.type === 'TSTypeReference' ? type.typeArguments?.params[0] : undefined;
  return argument?.type === 'TSTypeReference' && argument.typeName.type === 'Identifier'
    ? argument.typeName
    : undefined;
}

function annotationOf(node: Node): TSESTree.TypeNode | undefined {
  return node.type === 'Identifier' || node.type === 'PropertyDefinition'
    ? node.typeAnnotation?.typeAnnotation
    : undefined;
}

/** The calls on what a call gives. */
function chainBehind(call: CallNode): readonly CallNode[] {
  const chain: CallNode[] = [];
  for (let next = nextInChain(call); next !== undefined; next = nextInChain(next)) chain.push(next);
  return chain;
}

/** It also reads or writes tables of relations, as far as its options, the methods after it, or the class of its table tell. */
function reachesFurther(
  calls: readonly CallNode[],
  named: NamedTable | undefined,
  { reaches }: Builds,
  file: SourceFile,
): boolean {
  const [first, ...behind] = calls;
  return (
    behind.some(({ callee }) => reaches.includes(calledName(callee) ?? '')) ||
    (first !== undefined && first.arguments.some((argument) => names(argument, reaches, file))) ||
    (named?.declared !== undefined && names(named.declared.node, reaches, named.declared.file))
  );
}

function names(node: Node, keys: readonly string[], file: SourceFile): boolean {
  return someIn(
    file,
    node,
    (each) => each.type === 'Property' && keys.includes(keyName(each.key, each.computed) ?? ''),
  );
}

/** The last name of a path, and `` for a call of the handle itself. */
const lastNames: ReadonlySet<string> = new Set(
  libraries.flatMap(({ builds }) =>
    (builds?.calls ?? []).flatMap(({ paths }) => paths.map((path) => path.split('.').at(-1) ?? '')),
  ),
);

function mayBuild({ callee }: CallNode): boolean {
  return callee.type !== 'MemberExpression' || lastNames.has(calledName(callee) ?? '');
}
