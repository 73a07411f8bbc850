import {
  CodeLens,
  EventEmitter,
  Range,
  workspace,
  type CancellationToken,
  type CodeLensProvider,
  type Disposable,
  type TextDocument,
} from 'vscode';
import { lensCommands, probeCommands } from '../../contributions.ts';
import type { PoolDeclaration } from '../../server/protocol.ts';
import type { LiveFigures } from '../live-figures.ts';
import { readSetting } from '../read-settings.ts';
import { sumOf, type DeclaredSum } from './declared-sum.ts';
import { describeProbe, figuresTitle } from './figures-text.ts';
import type { PoolQuestions } from './pool-questions.ts';

/** Looks at the server come every second or two; lenses that jump so often would be a nuisance. */
const restMs = 2000;

/** What the connected server allows, above each pool of a document, and what to do about it. What the code itself says of a pool is told by the language server. */
export class PoolLensProvider implements CodeLensProvider, Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #questions: PoolQuestions;
  readonly #figures: LiveFigures;
  #shown = '';
  #waiting: NodeJS.Timeout | undefined;

  constructor(questions: PoolQuestions, figures: LiveFigures) {
    this.#questions = questions;
    this.#figures = figures;
  }

  async provideCodeLenses(document: TextDocument, token: CancellationToken): Promise<CodeLens[]> {
    if (!workspace.isTrusted || !readSetting('codeLens.enable', document)) return [];
    const pools = await this.#questions.poolsIn(document);
    if (pools.length === 0 || token.isCancellationRequested) return [];
    const declared = await this.#declared();
    this.#shown = this.#title(declared);
    return pools.flatMap((pool) => this.#lensesOf(pool, document, declared));
  }

  /** Soon, and only if something else would be shown then. */
  refreshSoon(): void {
    this.#waiting ??= setTimeout(() => void this.#refresh(), restMs);
  }

  refresh(): void {
    this.#changed.fire();
  }

  dispose(): void {
    clearTimeout(this.#waiting);
    this.#changed.dispose();
  }

  async #refresh(): Promise<void> {
    const title = this.#title(await this.#declared());
    this.#waiting = undefined;
    if (title !== this.#shown) this.refresh();
  }

  /** Nobody is asked about the whole workspace before there is a server to compare it with. */
  async #declared(): Promise<DeclaredSum | undefined> {
    const found = this.#figures.now === undefined ? undefined : await this.#questions.declared();
    return found && sumOf(found);
  }

  /** Empty while nothing is connected. */
  #title(declared: DeclaredSum | undefined): string {
    const { now } = this.#figures;
    return now === undefined ? '' : figuresTitle(now, declared);
  }

  #lensesOf(
    { range, max, isWritable }: PoolDeclaration,
    document: TextDocument,
    declared: DeclaredSum | undefined,
  ): CodeLens[] {
    const { now } = this.#figures;
    const place = new Range(
      range.start.line,
      range.start.character,
      range.start.line,
      range.start.character + 'new'.length,
    );
    const where = [document.uri.toString(), range];
    const figures = now && {
      title: figuresTitle(now, declared),
      tooltip: `${now.label}: explain these figures`,
      command: lensCommands.explainPool,
    };
    const probe = {
      title: 'Probe',
      tooltip:
        now === undefined
          ? 'Connects to a database and measures which max suits it. Shows the plan first.'
          : `Measures which max suits ${now.label}, with the statement of the last probe. Shows the plan first.`,
      command: probeCommands.probeAgain,
    };
    const last = now?.lastProbe;
    const use =
      last && isWritable && last.max !== max
        ? {
            title: `Use max ${last.max}`,
            tooltip: `Writes it here. ${describeProbe(now)}.`,
            command: lensCommands.useRecommendedMax,
            arguments: where,
          }
        : undefined;
    return [figures, probe, use]
      .filter((command) => command !== undefined)
      .map((command) => new CodeLens(place, command));
  }
}
