import { CodeAction, CodeActionKind, type CodeActionProvider, type Range, type TextDocument } from 'vscode';
import { lensCommands } from '../../contributions.ts';
import { holds } from './pool-place.ts';
import type { PoolQuestions } from './pool-questions.ts';

/** "Write pool options…" on a `new Pool(…)`. */
export class PoolCodeActions implements CodeActionProvider {
  static readonly kinds = [CodeActionKind.RefactorRewrite];
  readonly #questions: PoolQuestions;

  constructor(questions: PoolQuestions) {
    this.#questions = questions;
  }

  async provideCodeActions(document: TextDocument, { start }: Range): Promise<CodeAction[]> {
    const pool = (await this.#questions.poolsIn(document)).find(({ range, isWritable }) => isWritable && holds(range, start));
    if (pool === undefined) return [];
    const action = new CodeAction('Write pool options…', CodeActionKind.RefactorRewrite);
    action.command = { title: action.title, command: lensCommands.writePoolOptions, arguments: [document.uri.toString(), pool.range] };
    return [action];
  }
}
