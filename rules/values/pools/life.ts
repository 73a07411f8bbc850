import type { TSESTree } from '@typescript-eslint/types';
import { methods } from '../../model/drivers.ts';
import type { Node } from '../../syntax/node.ts';
import { memberName, type SourceFile } from '../../syntax/source-file.ts';
import type { NodePlace } from '../../project/module-reader.ts';
import type { Resolver } from '../resolver.ts';
import { standingAt } from '../apart.ts';
import { filesAsking } from '../spoken-of.ts';
import { maximalSteps, waysIn } from './fate.ts';
import type { Start, Way, Ways } from './way.ts';

/** What is done with a pool for as long as a call, a round or an object lasts, by whatever functions are given it. */
export interface Life {
  /** How those get at it who called the function, or made the object. */
  readonly given: readonly Way[];
  readonly calls: ReadonlySet<string>;
  readonly asked: ReadonlySet<string>;
  readonly endedBy: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
}

/** What a pool is followed within: a function, a loop or a class. */
interface Span {
  readonly within: Node;
  /** Its arguments are gone with the request. */
  readonly isOfRequest: boolean;
}

/** Follows what `made` gives; undefined where something else has it afterwards, or may. */
export function lifeOf(
  made: Node,
  ways: readonly Way[],
  { within, isOfRequest }: Span,
  file: SourceFile,
  resolver: Resolver,
): Life | undefined {
  const at = standingAt(made, file);
  const enclosing = standingAt(within, file);
  return lifeFrom(
    ways.map((way) => ({ kind: 'value', at, way, within: enclosing, isOfRequest })),
    file,
    resolver,
  );
}

/** The same for members of each object of a class. */
export function lifeOfFields(
  ways: readonly Way[],
  owner: Node,
  file: SourceFile,
  resolver: Resolver,
): Life | undefined {
  const within = standingAt(owner, file);
  return lifeFrom(
    ways.map((way) => ({ kind: 'field', within, way })),
    file,
    resolver,
  );
}

function lifeFrom(
  starts: readonly Start[],
  file: SourceFile,
  resolver: Resolver,
): Life | undefined {
  const steps: [SourceFile, Start][] = starts.map((start) => [file, start]);
  const seen = new Set<string>();
  const all: Ways[] = [];
  // The list grows while it is read: it is the worklist.
  for (const [place, start] of steps) {
    const key = `${place.path} ${JSON.stringify(start)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const ways = waysIn(place, start, file, resolver);
    if (seen.size > maximalSteps || isKept(ways)) return undefined;
    all.push(ways);
    for (const next of ways.into) {
      const entered = open(next.to, resolver);
      if (entered === undefined) return undefined;
      steps.push([entered, next]);
    }
  }
  const attached = all.flatMap((each) => each.attached);
  if (isEndedByName(attached, file, resolver)) return undefined;
  return {
    given: all.flatMap(({ given }) => given),
    calls: new Set(all.flatMap(({ calls }) => calls)),
    asked: new Set(all.flatMap(({ asked }) => asked)),
    endedBy: new Set(all.flatMap(({ endedBy }) => endedBy)),
    events: new Set(all.flatMap(({ events }) => events)),
  };
}

/** What a function gives on is not followed to its callers in other files. */
function isKept({ isLost, isOutliving, exported }: Ways): boolean {
  return isLost || isOutliving || exported.some((way) => way.includes('()'));
}

function open({ path }: NodePlace, { reader }: Resolver): SourceFile | undefined {
  return reader.open?.(path);
}

/** Some file ends a member of this name, of whatever object. */
function isEndedByName(names: readonly string[], file: SourceFile, { reader }: Resolver): boolean {
  if (names.length === 0) return false;
  const isEnd = (member: TSESTree.MemberExpression): boolean => memberName(member) === methods.end;
  const paths = reader.texts?.ending.pathsMatching(file.path);
  return filesAsking(names, isEnd, paths, reader)?.length !== 0;
}
