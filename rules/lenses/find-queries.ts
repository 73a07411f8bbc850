import type { TSESTree } from '@typescript-eslint/types';
import { anyVerb, type Builds, type Verb } from '../model/built.ts';
import { libraries } from '../model/libraries.ts';
import type { Library } from '../model/library.ts';
import { constantText } from '../syntax/constants.ts';
import { calledName } from '../syntax/calls.ts';
import { methodsBehind, nextInChain, waitFor } from '../syntax/call-chain.ts';
import { isClass, type Node } from '../syntax/node.ts';
import { placeOf } from '../syntax/mention.ts';
import { walk } from '../syntax/preorder.ts';
import { keyName, unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { Scene } from '../checks/scene.ts';
import { isAt, waysTo, type Way } from '../values/handle-paths.ts';
import { handleAt } from '../values/handles.ts';
import type { Resolver } from '../values/resolver.ts';
import { spokenTo } from './spoken-to.ts';
import { nameOfClass, tableNamed, type NamedTable } from './table-names.ts';
import type { WrittenQuery } from './written-query.ts';

/** Above this a file is generated. */
const mostOfAFile = 2000;

type QueryScene = Pick<Scene, 'file' | 'resolver'>;

/** The calls of a file that have a library build a query, in the order of the file. */
export function findQueries(scene: QueryScene): readonly WrittenQuery[] {
  const { file } = scene;
  const found: WrittenQuery[] = [];
  walk(file, file.ast, (node) => {
    if (found.length >= mostOfAFile) return false;
    if (node.type === 'CallExpression') found.push(...queriesOf(node, scene));
    return true;
  });
  return found;
}

function queriesOf(call: TSESTree.CallExpression, scene: QueryScene): readonly WrittenQuery[] {
  if (!mayBuild(call)) return [];
  const known = spokenTo(call, scene.file, scene.resolver);
  for (const { library, ...way } of known)
    if (library?.builds) {
      const found = built(call, way, library.builds, true, scene);
      if (found.length > 0) return found;
    }
  return known.length > 0 ? [] : perhapsBuilt(call, scene);
}

/** Nothing is known of what is asked, and what it is given is a table; a text is one where a method after the call sends the query. */
function perhapsBuilt(call: TSESTree.CallExpression, scene: QueryScene): readonly WrittenQuery[] {
  const way = waysTo(call)[1];
  if (way === undefined || unwrap(way.handle).type === 'CallExpression') return [];
  if (scene.resolver.entityOf(call.callee, scene.file)?.kind === 'function') return [];
  for (const { builds, sends } of libraries) {
    const found = builds === null ? [] : built(call, way, builds, false, scene);
    if (
      found.some(({ table }) => table !== null) &&
      (isDeclared(call) || isSentBehind(call, sends))
    )
      return found;
  }
  return [];
}

function isDeclared({ arguments: [first] }: TSESTree.CallExpression): boolean {
  return first !== undefined && constantText(first) === undefined;
}

function isSentBehind(call: TSESTree.CallExpression, sends: Library['sends']): boolean {
  const behind = methodsBehind(call);
  return sends.some(({ by }) => by?.some((name) => behind.includes(name)) === true);
}

function built(
  call: TSESTree.CallExpression,
  way: Way,
  builds: Builds,
  isSure: boolean,
  scene: QueryScene,
): readonly WrittenQuery[] {
  const row = builds.calls.find(({ paths }) => paths.some((path) => isAt(way.path, path)));
  if (row === undefined) return [];
  const chain = chainBehind(call);
  const named = tableOf(call, chain, way, row, builds, scene);
  const query = {
    place: placeOf(call.callee.type === 'MemberExpression' ? call.callee.property : call),
    inCapitals: builds.inCapitals,
    isSure,
  };
  const verbs = verbsOf(call, chain, row);
  const own = { ...query, verbs, table: named?.name ?? null };
  return own.table !== null && reachesFurther([call, ...chain], named, builds, scene.file)
    ? [own, { ...query, verbs: anyVerb, table: null }]
    : [own];
}

type Row = Builds['calls'][number];

/** Where nobody waits for the query yet, methods that are called on it later may make it any other. */
function verbsOf(
  call: TSESTree.CallExpression,
  chain: readonly TSESTree.CallExpression[],
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
  call: TSESTree.CallExpression,
  chain: readonly TSESTree.CallExpression[],
  { handle, path }: Way,
  { table }: Row,
  { tables }: Builds,
  { file, resolver }: QueryScene,
): NamedTable | undefined {
  for (const where of table) {
    const node = typeof where === 'string' ? call.arguments[0] : argumentOf(chain, where.behind);
    const found =
      where === 'handle'
        ? tableOfHandle(handle, tables, file, resolver)
        : where === 'member'
          ? tableOfMember(path, tables)
          : node && tableNamed(node, tables, file, resolver);
    if (found !== undefined) return found;
  }
  return undefined;
}

function argumentOf(chain: readonly TSESTree.CallExpression[], method: string): Node | undefined {
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
function tableOfHandle(
  handle: Node,
  tables: Builds['tables'],
  file: SourceFile,
  resolver: Resolver,
): NamedTable | undefined {
  const plain = unwrap(handle);
  const named = tableNamed(plain, tables, file, resolver);
  if (named !== undefined) return named;
  const entity = resolver.entityOf(plain, file);
  if ((entity?.kind === 'class' || entity?.kind === 'instance') && isClass(entity.node)) {
    const name = nameOfClass(entity.node, tables, entity.file);
    if (name !== undefined) return { name, declared: { node: entity.node, file: entity.file } };
  }
  return tableOfRepository(plain, tables, file, resolver);
}

/** `Repository<User>`, `source.getRepository(User)` */
function tableOfRepository(
  handle: Node,
  tables: Builds['tables'],
  file: SourceFile,
  resolver: Resolver,
): NamedTable | undefined {
  if (handle.type === 'CallExpression')
    return handle.arguments[0] && tableNamed(handle.arguments[0], tables, file, resolver);
  const origin = handleAt(handle, file, resolver)?.origin;
  const type = origin && typeArgumentOf(origin.node);
  if (type !== undefined && origin !== undefined)
    return tableNamed(type, tables, origin.file, resolver);
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
function chainBehind(call: TSESTree.CallExpression): readonly TSESTree.CallExpression[] {
  const chain: TSESTree.CallExpression[] = [];
  for (let next = nextInChain(call); next !== undefined; next = nextInChain(next)) chain.push(next);
  return chain;
}

/** It also reads or writes tables of relations, as far as its options, the methods after it, or the class of its table tell. */
function reachesFurther(
  calls: readonly TSESTree.CallExpression[],
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
  let isFound = false;
  walk(file, node, (each) => {
    isFound ||= each.type === 'Property' && keys.includes(keyName(each.key, each.computed) ?? '');
    return !isFound;
  });
  return isFound;
}

/** The last name of a path, and `` for a call of the handle itself. */
const lastNames: ReadonlySet<string> = new Set(
  libraries.flatMap(({ builds }) =>
    (builds?.calls ?? []).flatMap(({ paths }) => paths.map((path) => path.split('.').at(-1) ?? '')),
  ),
);

function mayBuild({ callee }: TSESTree.CallExpression): boolean {
  return callee.type !== 'MemberExpression' || lastNames.has(calledName(callee) ?? '');
}
