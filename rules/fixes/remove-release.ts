import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { statementOf } from './drop-release.ts';
import { removalsOf } from './removal.ts';
import type { Suggestion } from './suggestion.ts';

/** A release that is somebody else's to make goes. */
export function removeRelease(release: Node, file: SourceFile): readonly Suggestion[] {
  const statement = statementOf(release);
  const edits = statement === undefined ? undefined : removalsOf([statement], file.text);
  return edits === undefined
    ? []
    : [
        {
          messageId: 'dropRelease',
          data: { lines: String(release.loc.start.line) },
          edits,
        },
      ];
}
