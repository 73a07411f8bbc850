import { expect, test } from 'vitest';
import { documents, textOf } from '../support/documents.ts';
import { forbiddenIn } from '../support/forbidden-words.ts';

/** Prose by its lines; what code says, and what the labels of the corpus say in the words of those who wrote them, is left empty. */
function proseOf(document: string): readonly string[] {
  return textOf(document)
    .replaceAll(/^```.*?^```$|^<!-- \w+ figures:.*?^<!-- end of \w+ figures -->$/gmsu, (block) =>
      block.replaceAll(/[^\n]/gu, ''),
    )
    .split('\n');
}

test.each(documents)('%s uses none of the forbidden words', (document) => {
  const found = proseOf(document).flatMap((line, index) =>
    forbiddenIn(line).map((what) => `${document}:${index + 1} ${what}`),
  );
  expect(found).toEqual([]);
});
