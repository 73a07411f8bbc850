import type { TSESTree } from '@typescript-eslint/types';
import { memberName } from '../../syntax/source-file.ts';
import { concatenated, holeFor, written, type Text } from './text.ts';
import { filling, onlyText, type Place } from './place.ts';

/** The template's own words around what fills it. */
export function textOfTemplate(node: TSESTree.TemplateLiteral, place: Place): Text {
  return concatenated(
    node.quasis.flatMap(({ value }, index) => {
      const filled = node.expressions[index];
      return [
        written(value.cooked ?? value.raw, node),
        ...(filled === undefined ? [] : [filling(filled, place)]),
      ];
    }),
  );
}

/** Tags that only change blanks. */
const blankTags: ReadonlySet<string> = new Set(['dedent', 'stripIndent', 'oneLine']);

/** A tag may send a value as a parameter, so each is a hole, unless it is marked as SQL itself. */
export function textOfTagged(
  { tag, quasi }: TSESTree.TaggedTemplateExpression,
  place: Place,
): Text {
  if (tag.type === 'Identifier' && blankTags.has(tag.name))
    return { ...textOfTemplate(quasi, place), isAltered: true };
  const isVerbatim =
    tag.type === 'MemberExpression' &&
    tag.object.type === 'Identifier' &&
    tag.object.name === 'String' &&
    memberName(tag) === 'raw';
  const parts = quasi.quasis.flatMap(({ value: { cooked, raw } }, index) => {
    // A tagged text may hold escapes that mean nothing; then it is what is written.
    const words = isVerbatim ? raw : (cooked ?? raw);
    const value = quasi.expressions[index];
    const known = value === undefined ? undefined : onlyText(value, place);
    const isFilled = known !== undefined && (isVerbatim || known.isFragment);
    return [
      written(words, quasi),
      ...(value === undefined ? [] : [isFilled ? known : holeFor(value)]),
    ];
  });
  return { ...concatenated(parts), isFragment: !isVerbatim };
}
