import {
  CodeAction,
  CodeActionKind,
  type CodeActionProvider,
  type Range,
  type TextDocument,
} from 'vscode';
import { lensCommands } from '../../contributions.ts';
import type { PoolDeclaration } from '../../server/protocol.ts';
import type { LiveFigures } from '../live-figures.ts';
import { measuredTitle } from './figures-text.ts';
import { measuredOptions } from './option-choice.ts';
import { holds } from './pool-place.ts';
import type { PoolQuestions } from './pool-questions.ts';

/** On a `new Pool(…)`: what the last probe of the connected database measured, and "Write pool options…". */
export class PoolCodeActions implements CodeActionProvider {
  static readonly kinds = [CodeActionKind.RefactorRewrite];
  readonly #questions: PoolQuestions;
  readonly #figures: LiveFigures;
  readonly #now: () => number;

  constructor(questions: PoolQuestions, figures: LiveFigures, now: () => number = Date.now) {
    this.#questions = questions;
    this.#figures = figures;
    this.#now = now;
  }

  async provideCodeActions(document: TextDocument, { start }: Range): Promise<CodeAction[]> {
    const pool = (await this.#questions.poolsIn(document)).find(
      ({ range, isWritable }) => isWritable && holds(range, start),
    );
    if (pool === undefined) return [];
    const measured = this.#measuredTitle(pool);
    return [
      ...(measured === undefined
        ? []
        : [toAction(measured, lensCommands.useMeasuredOptions, document, pool)]),
      toAction('Write pool options…', lensCommands.writePoolOptions, document, pool),
    ];
  }

  /** Undefined where nothing was measured, or the pool is set to it already. */
  #measuredTitle(pool: PoolDeclaration): string | undefined {
    const lastProbe = this.#figures.now?.lastProbe;
    const values = lastProbe && measuredOptions(pool, lastProbe);
    return lastProbe === undefined || values === undefined || Object.keys(values).length === 0
      ? undefined
      : measuredTitle(values, lastProbe, this.#now());
  }
}

function toAction(
  title: string,
  command: string,
  { uri }: TextDocument,
  { range }: PoolDeclaration,
): CodeAction {
  const action = new CodeAction(title, CodeActionKind.RefactorRewrite);
  action.command = { title, command, arguments: [uri.toString(), range] };
  return action;
}
