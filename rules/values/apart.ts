import { childrenWithTypes } from '../syntax/preorder.ts';
import type { NodePlace } from '../project/module-reader.ts';
import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';

/** An abstract value, or an allocation site, without the trees that it was found in: files by their paths, nodes by where they stand. */
export interface Plain {
  readonly path: string | undefined;
  readonly nodes: Readonly<Record<string, NodePlace>>;
  readonly parts: Readonly<Record<string, Plain>>;
  readonly fixed: Readonly<Record<string, unknown>>;
}

interface InFile {
  readonly node: Node;
  readonly file: SourceFile;
}

/** A getter stands for a node in a tree that nobody may have asked for yet. */
const placesByGetter = new WeakMap<() => unknown, NodePlace>();

export function plain(whole: object): Plain {
  const { file } = whole as Partial<InFile>;
  const nodes: Record<string, NodePlace> = {};
  const parts: Record<string, Plain> = {};
  const fixed: Record<string, unknown> = {};
  for (const [key, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(whole)) as [
    string,
    TypedPropertyDescriptor<unknown>,
  ][]) {
    const place = get && placesByGetter.get(get);
    if (place !== undefined) nodes[key] = place;
    else if (isNode(value) && file !== undefined) nodes[key] = standingAt(value, file);
    else if (partKeys.has(key) && typeof value === 'object' && value !== null)
      parts[key] = plain(value);
    else if (key !== 'file') fixed[key] = value;
  }
  return { path: file?.path, nodes, parts, fixed };
}

/** What an abstract value has in itself that has files and nodes of its own. */
const partKeys: ReadonlySet<string> = new Set(['site', 'holder', 'pool', 'of']);

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'loc' in value;
}

export function standingAt({ type, range }: Node, { path }: SourceFile): NodePlace {
  return { path, type, range: [range[0], range[1]] };
}

/** The same as an abstract value again, whose files are opened, and not parsed before somebody asks for a node. */
export function revived(
  { path, nodes, parts, fixed }: Plain,
  open: (path: string) => SourceFile | undefined,
): AbstractValue {
  const whole: object = { ...fixed };
  const file = path === undefined ? undefined : open(path);
  if (file !== undefined) Object.assign(whole, { file });
  for (const [key, part] of Object.entries(parts))
    Object.assign(whole, { [key]: revived(part, open) });
  for (const [key, place] of Object.entries(nodes)) {
    const get = (): Node | undefined => file && nodeAt(place, file);
    placesByGetter.set(get, place);
    Object.defineProperty(whole, key, { get, enumerable: true, configurable: true });
  }
  return whole as AbstractValue;
}

/** Where the node of an abstract value stands; its tree need not be there. */
export function placeOf(abstractValue: InFile): NodePlace {
  return placeOfPart(abstractValue, 'node') as NodePlace;
}

/** Where some other node of an abstract value stands; undefined when it has none. */
export function placeOfPart<Key extends string>(
  abstractValue: { readonly file: SourceFile } & { readonly [Name in Key]: Node | undefined },
  key: Key,
): NodePlace | undefined {
  const { get, value } = (Object.getOwnPropertyDescriptor(abstractValue, key) ??
    {}) as TypedPropertyDescriptor<Node>;
  return get === undefined
    ? value && standingAt(value, abstractValue.file)
    : placesByGetter.get(get);
}

export function isSamePlace(one: NodePlace, other: NodePlace): boolean {
  return (
    one.path === other.path &&
    one.type === other.type &&
    one.range[0] === other.range[0] &&
    one.range[1] === other.range[1]
  );
}

/** The node of an abstract value and its file by themselves. */
export function standOf(abstractValue: InFile): InFile {
  const { node, file } = Object.getOwnPropertyDescriptors(abstractValue);
  return Object.defineProperties({}, { node, file }) as InFile;
}

/** The same with other parts; nodes that nobody asked for stay unasked, as they do in no spread. */
export function replaced<Known extends object, Parts extends object>(
  whole: Known,
  parts: Parts,
): Omit<Known, keyof Parts> & Parts {
  const own = Object.getOwnPropertyDescriptors(whole);
  return Object.defineProperties(
    {},
    { ...own, ...Object.getOwnPropertyDescriptors(parts) },
  ) as Omit<Known, keyof Parts> & Parts;
}

/** The outermost node of its type that stands there. */
export function nodeAt({ type, range: [start, end] }: NodePlace, file: SourceFile): Node {
  let node: Node = file.ast;
  for (;;) {
    if (node.type === type && node.range[0] === start && node.range[1] === end) return node;
    const inner: Node | undefined = childrenWithTypes(file, node).find(
      ({ range }) => range[0] <= start && end <= range[1],
    );
    if (inner === undefined) return file.ast;
    node = inner;
  }
}
