import {
  CodeAction,
  CodeActionKind,
  type CodeActionContext,
  type CodeActionProvider,
  type Diagnostic,
  type Range,
  type TextDocument,
} from 'vscode';
import { lensCommands } from '../../contributions.ts';
import type { PoolDeclaration } from '../../server/protocol.ts';
import type { LiveFigures } from '../live-figures.ts';
import { measuredTitle } from './figures-text.ts';
import { measuredOptions } from './option-choice.ts';
import { findMarkedMax, maxMarkSource } from './max-marks.ts';
import { holds } from './pool-place.ts';
import type { PoolQuestions } from './pool-questions.ts';

/** On a `new Pool(…)`: the fix of a `max` that is marked, what the last probe of the connected database measured, and "Write pool options…". */
export class PoolCodeActions implements CodeActionProvider {
  static readonly kinds = [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite];
  readonly #questions: PoolQuestions;
  readonly #figures: LiveFigures;
  readonly #now: () => number;

  constructor(questions: PoolQuestions, figures: LiveFigures, now: () => number = Date.now) {
    this.#questions = questions;
    this.#figures = figures;
    this.#now = now;
  }

  async provideCodeActions(
    document: TextDocument,
    { start }: Range,
    { diagnostics }: CodeActionContext,
  ): Promise<CodeAction[]> {
    const marks = diagnostics.filter(({ source }) => source === maxMarkSource);
    const fixes = marks.length === 0 ? [] : await this.#fixes(document, marks);
    const pool = (await this.#questions.poolsIn(document)).find(
      ({ range, isWritable }) => isWritable && holds(range, start),
    );
    if (pool === undefined) return fixes;
    const measured = this.#measuredTitle(pool);
    return [
      ...fixes,
      ...(measured === undefined
        ? []
        : [toAction(measured, lensCommands.useMeasuredOptions, document, pool)]),
      toAction('Write pool options…', lensCommands.writePoolOptions, document, pool),
    ];
  }

  /** A marked number may stand in a variable, outside of its pool. */
  async #fixes(document: TextDocument, marks: readonly Diagnostic[]): Promise<CodeAction[]> {
    const last = this.#figures.now?.lastProbe;
    const found = await findMarkedMax(document, last, this.#questions);
    return found.flatMap(({ pool, place }) =>
      marks
        .filter(({ range }) => range.isEqual(place))
        .map((mark) => toFix(`Set max to ${last?.max}`, mark, document, pool)),
    );
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

function toFix(
  title: string,
  mark: Diagnostic,
  document: TextDocument,
  pool: PoolDeclaration,
): CodeAction {
  const fix = toAction(title, lensCommands.useRecommendedMax, document, pool);
  fix.kind = CodeActionKind.QuickFix;
  fix.diagnostics = [mark];
  fix.isPreferred = true;
  return fix;
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
