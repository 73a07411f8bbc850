import { Disposable, commands as editorCommands, window } from 'vscode';
import { activityCommands, lensCommands, probeCommands } from '../../contributions.ts';
import type { LiveFigures } from '../live-figures.ts';
import { chooseOptions } from './choose-options.ts';
import { sumOf } from './declared-sum.ts';
import { explainFigures } from './figures-text.ts';
import { holds, readPoolPlace } from './pool-place.ts';
import type { FoundPool, PoolQuestions } from './pool-questions.ts';
import { writePool } from './write-pool.ts';

/** What lenses, the palette and code actions ask for. Of their arguments only the place of a pool that is there counts. */
export function registerPoolOptionCommands(questions: PoolQuestions, figures: LiveFigures, now: () => number = Date.now): Disposable {
  const write = async (uri?: unknown, range?: unknown): Promise<void> => {
    const found = await findPool(questions, uri, range);
    const values = found && (await chooseOptions(found.pool, figures.now?.lastProbe));
    if (found !== undefined && values !== undefined) await writePool(questions, found, values);
  };
  const useRecommendedMax = async (uri?: unknown, range?: unknown): Promise<void> => {
    const last = figures.now?.lastProbe;
    if (last === undefined) return void window.showInformationMessage('No probe of the connected database has recommended a max yet.');
    const found = await findPool(questions, uri, range);
    if (found !== undefined) await writePool(questions, found, { max: last.max });
  };
  return Disposable.from(
    editorCommands.registerCommand(lensCommands.writePoolOptions, write),
    editorCommands.registerCommand(lensCommands.useRecommendedMax, useRecommendedMax),
    editorCommands.registerCommand(lensCommands.explainPool, () => explain(questions, figures, now)),
  );
}

/** The pool that the arguments name, without arguments the one under the cursor, or the only one of the file. */
async function findPool(questions: PoolQuestions, uri: unknown, range: unknown): Promise<FoundPool | undefined> {
  const place = readPoolPlace(uri, range);
  const found = place === undefined ? await poolUnderCursor(questions) : await questions.poolAt(place);
  if (found === undefined) void window.showInformationMessage('No pool is made here. Put the cursor into a `new Pool(…)` and try again.');
  return found;
}

async function poolUnderCursor(questions: PoolQuestions): Promise<FoundPool | undefined> {
  const editor = window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  const pools = await questions.poolsIn(document);
  const pool = pools.find(({ range }) => holds(range, selection.active)) ?? (pools.length === 1 ? pools[0] : undefined);
  return pool && { document, pool };
}

async function explain(questions: PoolQuestions, figures: LiveFigures, now: () => number): Promise<void> {
  const found = await questions.declared();
  if (figures.now === undefined) return void window.showInformationMessage('No database is connected.');
  const chosen = await window.showInformationMessage(explainFigures(figures.now, found && sumOf(found), now()), 'Show sessions', 'Probe');
  if (chosen === 'Show sessions') await editorCommands.executeCommand(activityCommands.openSessions);
  if (chosen === 'Probe') await editorCommands.executeCommand(probeCommands.probe);
}
