import type { TSESTree } from '@typescript-eslint/types';
import { listenMethods } from '../../model/emitters.ts';
import { isSidePath } from '../../model/pool-life.ts';
import { constantText } from '../../syntax/constants.ts';
import type { Node } from '../../syntax/node.ts';
import { memberName, parentOf, type SourceFile } from '../../syntax/source-file.ts';
import type { Resolver } from '../resolver.ts';
import { filesAsking } from '../spoken-of.ts';
import { madeIn } from './made-pools.ts';
import { isHidden, noWays, type Start, type Way, type Ways } from './way.ts';
import { waysFrom } from './ways.ts';
import { pathInProject } from '../../project/module-reader.ts';

/** What becomes of a pool in the whole program. */
export interface Fate {
  /** Somebody listens to its 'error' events, or may. */
  readonly mayBeHeard: boolean;
  /** Something has it that lives on. */
  readonly isKept: boolean;
}

const heard: Fate = { mayBeHeard: true, isKept: false };
const lost: Ways = { ...noWays(), isLost: true };

/** More steps than this are not followed. */
export const maximalSteps = 80;

/** Follows a new pool through the files of its program: assignments, arguments, results, members, and exports. */
export function fateOf(made: Node, file: SourceFile, resolver: Resolver): Fate {
  const at = { path: file.path, type: made.type, range: made.range };
  const steps: Step[] = [{ file, start: { kind: 'value', at, way: [] } }];
  const seen = new Set<string>();
  const all: Ways[] = [];
  // The list grows while it is read: it is the worklist.
  for (const { file: place, start } of steps) {
    const key = `${place.path} ${JSON.stringify(start)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const ways = seen.size > maximalSteps ? lost : waysIn(place, start, file, resolver);
    const next = stepsBehind(ways, place, resolver);
    if (next === undefined || isHeardByName(ways.named, file, resolver)) return heard;
    all.push({ ...ways, isKept: ways.isKept && !isAside(place, resolver) });
    steps.push(...next);
  }
  return { mayBeHeard: false, isKept: all.some(({ isKept }) => isKept) || isOffered(all) };
}

/** Nobody of the program calls what gives it: who does gets something that has a pool, and cannot listen to that. */
function isOffered(all: readonly Ways[]): boolean {
  return all.some(({ exported }) => exported.some(isHidden)) && !all.some((each) => each.isCalled);
}

interface Step {
  readonly file: SourceFile;
  readonly start: Start;
}

export function waysIn(
  place: SourceFile,
  start: Start,
  home: SourceFile,
  resolver: Resolver,
): Ways {
  return place === home
    ? waysFrom(start, home, resolver)
    : resolver.knownIn<Ways>(place, {
        text: `ways of a pool ${JSON.stringify(start)}`,
        unknown: lost,
        find: (there, file) => waysFrom(start, file, there),
      });
}

function isAside(file: SourceFile, { reader }: Resolver): boolean {
  return isSidePath(pathInProject(file, reader));
}

/** Where other files go on; undefined where somebody listens, or may. */
function stepsBehind(
  { isHeard, isLost, exported, into }: Ways,
  file: SourceFile,
  { reader }: Resolver,
): readonly Step[] | undefined {
  const importers = exported.length === 0 ? [] : reader.importersOf?.(file.path);
  if (isHeard || isLost || importers === undefined) return undefined;
  const entered = into.map((start) => ({ file: reader.open?.(start.to.path), start }));
  const imported = importers.flatMap((path) =>
    path === file.path
      ? []
      : uniqueWays(exported).map((way) => ({
          file: reader.open?.(path),
          start: { kind: 'module', of: file.path, way } as const,
        })),
  );
  return [...entered, ...imported].flatMap(({ file: place, start }) =>
    place === undefined ? [] : [{ file: place, start }],
  );
}

function uniqueWays(ways: readonly Way[]): readonly Way[] {
  return [...new Map(ways.map((way) => [way.join('\0'), way])).values()];
}

/** Some file listens to a member of this name, of whatever object. What is called like a pool in a file that makes one is that pool. */
function isHeardByName(names: readonly string[], file: SourceFile, resolver: Resolver): boolean {
  if (names.length === 0) return false;
  const { reader } = resolver;
  const paths = reader.texts?.listening.pathsMatching(file.path);
  const files = filesAsking(names, listensToErrors, paths, reader);
  return files?.every((each) => makesPool(each, resolver)) !== true;
}

function listensToErrors(member: TSESTree.MemberExpression): boolean {
  const call = parentOf(member);
  const event = call?.type === 'CallExpression' ? call.arguments[0] : undefined;
  return (
    listenMethods.has(memberName(member) ?? '') &&
    event !== undefined &&
    constantText(event) === 'error'
  );
}

function makesPool(place: SourceFile, resolver: Resolver): boolean {
  return resolver.knownIn<boolean>(place, {
    text: 'makes a pool',
    unknown: false,
    find: (there, file) => madeIn(file, there).some(({ kind }) => kind === 'pool'),
  });
}
