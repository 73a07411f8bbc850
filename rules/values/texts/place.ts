import type { Node } from '../../syntax/node.ts';
import type { SourceFile } from '../../syntax/source-file.ts';
import type { Resolver } from '../resolver.ts';
import type { GivenTexts, Texts } from './known-texts.ts';
import { holeFor, type Text } from './text.ts';

/** Where a text is read, on the way to an answer. */
export interface Place {
  readonly file: SourceFile;
  readonly resolver: Resolver;
  readonly given: GivenTexts;
  textsOf(node: Node): Texts;
  /** The answer for a variable, found once. */
  once(subject: object, find: () => Texts): Texts;
  /** The same in another file, where nothing is known of parameters. */
  in(file: SourceFile): Place;
}

/** The text of an expression that has only one. */
export function onlyText(node: Node, place: Place): Text | undefined {
  const texts = place.textsOf(node);
  return texts.length === 1 ? texts[0] : undefined;
}

/** What stands in a text where an expression does: its text where it has one only, else a hole. */
export function filling(node: Node, place: Place): Text {
  return onlyText(node, place) ?? holeFor(node);
}

/** A constant of another file, of an object or of a class, or what a called function gives back. */
export function textOfValue(node: Node, place: Place): Text | undefined {
  const value = place.resolver.abstractValueOf(node, place.file);
  const inside = value?.kind === 'function' ? place.resolver.returnedBy(value) : value;
  return inside?.kind === 'text' || inside?.kind === 'object'
    ? onlyText(inside.node, place.in(inside.file))
    : undefined;
}
