import { Range, WorkspaceEdit, window, workspace } from 'vscode';
import type { PoolOptionValues } from '../../server/asked.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import type { FoundPool, PoolQuestions } from './pool-questions.ts';

/** Writes options into the code as one step that can be undone; says why when it does not. */
export async function writePool(
  questions: PoolQuestions,
  found: FoundPool,
  values: PoolOptionValues,
): Promise<void> {
  const { document } = found;
  const answer = await questions.edits(found, values);
  if (answer === undefined)
    return say(
      'These options cannot be changed safely where the pool is made; change them where they are set.',
    );
  const { version, edits } = answer;
  if (edits.length === 0) return say('The pool is set to this already.');
  if (document.version !== version) return say('The file has changed in the meantime; try again.');
  const change = new WorkspaceEdit();
  const label = `Write ${Object.entries(values)
    .map(([option, value]) => `${option} ${value}`)
    .join(', ')} into the pool`;
  for (const {
    range: { start, end },
    newText,
  } of edits) {
    change.replace(
      document.uri,
      new Range(start.line, start.character, end.line, end.character),
      newText,
      { label, needsConfirmation: false },
    );
  }
  if (!(await workspace.applyEdit(change))) say('The editor refused the change.');
}

function say(sentence: string): void {
  void window.showInformationMessage(plainMessage(sentence));
}
