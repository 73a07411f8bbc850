import type { Node, CallNode } from '../../syntax/node.ts';
import { calledName } from '../../syntax/calls.ts';
import { filling, onlyText, textOfValue, type Place } from './place.ts';
import { concatenated, formatted, holeFor, trimmed, written, type Text } from './text.ts';
import { elementsOf } from './text-lists.ts';

type Making = (text: Text) => Text;

/** What a method of strings makes of a text. */
const methods: Readonly<Record<string, Making>> = {
  toString: same,
  valueOf: same,
  trim: (text) => trimmed(text, 'trim'),
  trimStart: (text) => trimmed(text, 'trimStart'),
  trimEnd: (text) => trimmed(text, 'trimEnd'),
  replace: altered,
  replaceAll: altered,
  toLowerCase: altered,
  toUpperCase: altered,
};

/** What functions of libraries make of the text that they are given first: values filled in, marked as SQL, other blanks. */
const functions: Readonly<Record<string, Making>> = {
  format: formatted,
  pgFormat: formatted,
  withArray: formatted,
  sprintf: formatted,
  raw: marked,
  unsafe: marked,
  sql: marked,
  SQL: marked,
  dedent: altered,
  stripIndent: altered,
  oneLine: altered,
};

function same(text: Text): Text {
  return text;
}

function altered(text: Text): Text {
  return { ...text, isAltered: true };
}

function marked(text: Text): Text {
  return { ...text, isFragment: true };
}

export function textOfCall(call: CallNode, place: Place): Text | undefined {
  const { callee, arguments: given } = call;
  const name = calledName(callee);
  if (name === undefined) return undefined;
  const made =
    callee.type === 'MemberExpression'
      ? textOfMethod(callee.object, name, given, place)
      : undefined;
  return (
    made ??
    textOfFunction(callee, name, given, place) ??
    textOfValue(callee, place) ??
    textGivenTo(given, place)
  );
}

function textOfMethod(
  object: Node,
  name: string,
  given: readonly Node[],
  place: Place,
): Text | undefined {
  if (name === 'join') return joined(object, given[0], place);
  if (name === 'concat')
    return concatenated([object, ...given].map((part) => filling(part, place)));
  const make = Object.hasOwn(methods, name) ? methods[name] : undefined;
  const text = make === undefined ? undefined : onlyText(object, place);
  return text && make?.(text);
}

function textOfFunction(
  callee: Node,
  name: string,
  [first]: readonly Node[],
  place: Place,
): Text | undefined {
  if (first === undefined) return undefined;
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  const make = known ?? (isFormatter(callee, place) ? formatted : undefined);
  const text = make === undefined ? undefined : onlyText(first, place);
  return text && make?.(text);
}

function isFormatter(callee: Node, { resolver, file }: Place): boolean {
  const value = resolver.abstractValueOf(callee, file);
  return (
    value?.kind === 'package' &&
    (value.module === 'pg-format' || (value.module === 'util' && value.name === 'format'))
  );
}

/** `toParameters(sql, values)`: inside of a helper, what is made of the text that it was given is still that statement. */
export function textGivenTo(given: readonly Node[], place: Place): Text | undefined {
  if (place.given.size === 0) return undefined;
  const [only, ...others] = given.flatMap((argument) =>
    argument.type === 'Identifier' ? place.textsOf(argument) : [],
  );
  return only === undefined || others.length > 0 ? undefined : altered(only);
}

/** `['SET', name].join(' ')` */
function joined(list: Node, separator: Node | undefined, place: Place): Text | undefined {
  const elements = elementsOf(list, place.file);
  if (elements === undefined || elements.inFront.length > 0) return undefined;
  const between = separator === undefined ? written(',', list) : filling(separator, place);
  const texts = elements.nodes.map((element) => filling(element, place));
  const all = [...texts, ...elements.added.slice(0, 1).map(holeFor)];
  return concatenated(all.flatMap((text, index) => (index === 0 ? [text] : [between, text])));
}
