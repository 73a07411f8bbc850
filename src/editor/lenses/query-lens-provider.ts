import {
  CodeLens,
  EventEmitter,
  Range,
  type CodeLensProvider,
  type Disposable,
  type TextDocument,
} from 'vscode';
import { probeCommands } from '../../contributions.ts';
import type { CodeIndex } from '../code-index.ts';
import type { LiveFigures } from '../live-figures.ts';
import { isSentQuery } from '../probe/code-queries.ts';
import { readSetting } from '../read-settings.ts';

/** "Probe this query" above each line that sends a statement which reads, while a database is connected. Tests and scripts are left alone. */
export class QueryLensProvider implements CodeLensProvider, Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #code: CodeIndex;
  readonly #figures: LiveFigures;

  constructor(code: CodeIndex, figures: LiveFigures) {
    this.#code = code;
    this.#figures = figures;
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    const { now } = this.#figures;
    const { code } = this.#code;
    if (now === undefined || code === undefined || !readSetting('codeLens.probeQuery', document))
      return [];
    const uri = document.uri.toString();
    const sent = code.facts.statements.filter((each) => each.uri === uri && isSentQuery(each));
    // A call may send one of several texts.
    const columns = new Map(sent.map(({ line, column }) => [line, column] as const));
    return [...columns]
      .filter(([line]) => line <= document.lineCount)
      .map(
        ([line, column]) =>
          new CodeLens(new Range(line - 1, column, line - 1, column + 'query'.length), {
            title: 'Probe this query',
            tooltip: `Measures which pool size suits it on ${now.label}. Shows the plan first.`,
            command: probeCommands.probeQuery,
            arguments: [{ uri, line }],
          }),
      );
  }

  refresh(): void {
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
