import { type Node, isFunction } from '../syntax/node.ts';
import { anyMember, assignedIn, isSameReference, type MemberWrite } from './assigned.ts';
import type { AbstractValue, AllocationSite } from './abstract-values.ts';
import { isSamePool } from './allocation-sites.ts';
import { nodeAt, placeOf } from './apart.ts';
import type { NodePlace } from '../project/module-reader.ts';
import type { FindInFile, Resolver } from './resolver.ts';
import { findAncestor, type SourceFile } from '../syntax/source-file.ts';
import { paramsOf } from '../syntax/parameters.ts';

/** The first of the written values that is known. */
export function firstOf(
  resolver: Resolver,
  writes: readonly MemberWrite[],
  file: SourceFile,
): AbstractValue | undefined {
  for (const { value, isGetter } of writes) {
    const abstractValue =
      isGetter && isFunction(value)
        ? resolver.returnedBy({ node: value, file })
        : resolver.abstractValueOf(value, file);
    if (abstractValue !== undefined) return abstractValue;
  }
  return undefined;
}

/** What a file assigns to the member of an object that goes by certain names. */
export function memberOfNamed(
  resolver: Resolver,
  isNamed: (node: Node) => boolean,
  name: string,
  file: SourceFile,
): AbstractValue | undefined {
  const { byName, copies, calls } = assignedIn(file);
  const written = firstOf(
    resolver,
    (byName.get(name) ?? []).filter(({ object }) => isNamed(object)),
    file,
  );
  if (written !== undefined) return written;
  for (const { source } of copies.filter(({ object }) => isNamed(object))) {
    const copied = resolver.abstractValueOf(source, file);
    const member =
      copied === undefined || copied.kind === 'package' || copied.kind === 'driver'
        ? undefined
        : resolver.memberOf(copied, name);
    if (member !== undefined) return member;
  }
  for (const call of calls) {
    const position = call.arguments.findIndex(isNamed);
    const mixedIn =
      position < 0 ? undefined : mixedInMember(resolver, call.callee, position, name, file);
    if (mixedIn !== undefined) return mixedIn;
  }
  return undefined;
}

/** `files.forEach((file) => { db[nameOf(file)] = model; })`: a handle of a pool that was there before is the same under each name. */
export function memberOfAnyName(
  resolver: Resolver,
  isNamed: (node: Node) => boolean,
  file: SourceFile,
): AbstractValue | undefined {
  const writes = (assignedIn(file).byName.get(anyMember) ?? []).filter(({ object }) =>
    isNamed(object),
  );
  const kept = writes.map((write) => firstOf(resolver, [write], file));
  const [first] = kept;
  return first?.kind === 'handle' &&
    kept.every((each) => isSamePool(each, first)) &&
    writes.every(({ value }) => isOlderThanRound(first.site, value, file))
    ? first
    : undefined;
}

/** What makes it stands outside of the loop or function around the write. */
function isOlderThanRound(site: AllocationSite, write: Node, { path }: SourceFile): boolean {
  const round = findAncestor(write, isRound);
  const made = placeOf(site);
  const isMadeInside =
    round !== undefined &&
    made.path === path &&
    round.range[0] <= made.range[0] &&
    made.range[1] <= round.range[1];
  return site.madeBy === undefined && round !== undefined && !isMadeInside;
}

function isRound(node: Node): node is Node {
  return isFunction(node) || /^(?:For|While|DoWhile)/u.test(node.type);
}

/** `require('./main')(db)` where `main.js` exports `function (db) { db.name = … }`. */
function mixedInMember(
  resolver: Resolver,
  callee: Node,
  position: number,
  name: string,
  file: SourceFile,
): AbstractValue | undefined {
  const mixin = mixinAt(resolver, callee, position, file);
  return mixin?.names.includes(name) === true
    ? resolver.inFile(mixin.file, ...memberQuestion(mixin, name), {
        name: mixinText(mixin),
        membersIn: () => mixin.names.map((each) => memberQuestion(mixin, each)),
      })
    : undefined;
}

/** The names that functions of other files give to the members of an object, at the top level of a file. */
export function mixedInNames(
  resolver: Resolver,
  isNamed: (node: Node) => boolean,
  file: SourceFile,
): readonly string[] {
  return assignedIn(file).calls.flatMap((call) => {
    const position = call.arguments.findIndex(isNamed);
    return position < 0 ? [] : (mixinAt(resolver, call.callee, position, file)?.names ?? []);
  });
}

/** A function that gives names to the members of one of its parameters. */
interface Mixin {
  readonly place: NodePlace;
  readonly file: SourceFile;
  readonly position: number;
  readonly names: readonly string[];
}

function mixinAt(
  resolver: Resolver,
  callee: Node,
  position: number,
  file: SourceFile,
): Mixin | undefined {
  const fn = resolver.abstractValueOf(callee, file);
  if (fn?.kind !== 'function') return undefined;
  const place = placeOf(fn);
  const names = resolver.knownIn(fn.file, {
    text: `${place.range.join('-')} mixes ${position}`,
    unknown: [],
    find: (_, itself) => [...writesTo({ place, position }, itself).keys()],
  });
  return { place, file: fn.file, position, names };
}

function memberQuestion(
  mixin: Pick<Mixin, 'place' | 'position'>,
  name: string,
): readonly [question: string, find: FindInFile] {
  return [
    `${mixinText(mixin)} ${name}`,
    (there, file) => firstOf(there, writesTo(mixin, file).get(name) ?? [], file),
  ];
}

function mixinText({ place, position }: Pick<Mixin, 'place' | 'position'>): string {
  return `${place.range.join('-')} mixes ${position}`;
}

function writesTo(
  { place, position }: Pick<Mixin, 'place' | 'position'>,
  file: SourceFile,
): ReadonlyMap<string, readonly MemberWrite[]> {
  const node = nodeAt(place, file);
  const parameter = isFunction(node) ? paramsOf(node)[position] : undefined;
  if (parameter?.type !== 'Identifier') return new Map();
  const writes = [...assignedIn(file).byName].map(
    ([name, all]) =>
      [name, all.filter(({ object }) => isSameReference(object, parameter, file))] as const,
  );
  return new Map(writes.filter(([, own]) => own.length > 0));
}
