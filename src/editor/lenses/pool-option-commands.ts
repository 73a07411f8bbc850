import {
  Disposable,
  commands as editorCommands,
  window,
  Range,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { activityCommands, lensCommands, probeCommands } from '../../contributions.ts';
import type { PoolOptionValues } from '../../server/asked.ts';
import type { LastProbe, LiveFigures } from '../live-figures.ts';
import { plainMessage } from '../connections/plain-labels.ts';
import { chooseOptions } from './choose-options.ts';
import { choosePool } from './choose-pool.ts';
import { sumOf } from './declared-sum.ts';
import { explainFigures } from './figures-text.ts';
import { measuredOptions } from './option-choice.ts';
import { holds, readPoolPlace } from './pool-place.ts';
import type { FoundPool, PoolQuestions } from './pool-questions.ts';

/** What lenses, the palette and code actions ask for. Of their arguments only the place of a pool that is there counts. */
export function registerPoolOptionCommands(
  questions: PoolQuestions,
  figures: LiveFigures,
  now: () => number = Date.now,
): Disposable {
  const write = async (uri?: unknown, range?: unknown): Promise<void> => {
    const found = await findPool(questions, uri, range);
    const values = found && (await chooseOptions(found.pool, figures.now?.lastProbe));
    if (found !== undefined && values !== undefined) await writePool(questions, found, values);
  };
  const use = async (
    uri: unknown,
    range: unknown,
    choose: (found: FoundPool, last: LastProbe) => PoolOptionValues,
  ): Promise<void> => {
    const last = figures.now?.lastProbe;
    if (last === undefined)
      return void window.showInformationMessage(
        'No probe of the connected database has recommended a max yet.',
      );
    const found = await findPool(questions, uri, range);
    if (found !== undefined) await writePool(questions, found, choose(found, last));
  };
  return Disposable.from(
    editorCommands.registerCommand(lensCommands.writePoolOptions, write),
    editorCommands.registerCommand(
      lensCommands.useRecommendedMax,
      (uri?: unknown, range?: unknown) => use(uri, range, (_found, { max }) => ({ max })),
    ),
    editorCommands.registerCommand(
      lensCommands.useMeasuredOptions,
      (uri?: unknown, range?: unknown) =>
        use(uri, range, ({ pool }, last) => measuredOptions(pool, last)),
    ),
    editorCommands.registerCommand(lensCommands.explainPool, () =>
      explain(questions, figures, now),
    ),
  );
}

/** The pool that the arguments name, without arguments the one under the cursor, the only one of the file, or one of the workspace that is chosen. */
async function findPool(
  questions: PoolQuestions,
  uri: unknown,
  range: unknown,
): Promise<FoundPool | undefined> {
  const place = readPoolPlace(uri, range);
  if (place !== undefined) {
    const found = await questions.poolAt(place);
    return (
      found ?? say('No pool is created here. Place the cursor in a `new Pool(…)` and try again.')
    );
  }
  return (await poolUnderCursor(questions)) ?? choosePool(questions);
}

async function poolUnderCursor(questions: PoolQuestions): Promise<FoundPool | undefined> {
  const editor = window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  const pools = await questions.poolsIn(document);
  const pool =
    pools.find(({ range }) => holds(range, selection.active)) ??
    (pools.length === 1 ? pools[0] : undefined);
  return pool && { document, pool };
}

async function explain(
  questions: PoolQuestions,
  figures: LiveFigures,
  now: () => number,
): Promise<void> {
  const found = await questions.declared();
  if (figures.now === undefined)
    return void window.showInformationMessage('No database is connected.');
  const chosen = await window.showInformationMessage(
    plainMessage(explainFigures(figures.now, found && sumOf(found), now())),
    'Show sessions',
    'Probe',
  );
  if (chosen === 'Show sessions')
    await editorCommands.executeCommand(activityCommands.openSessions);
  if (chosen === 'Probe') await editorCommands.executeCommand(probeCommands.probe);
}

function say(sentence: string): undefined {
  void window.showInformationMessage(plainMessage(sentence));
}

/** Writes options into the code as one step that can be undone; says why when it does not. */
async function writePool(
  questions: PoolQuestions,
  found: FoundPool,
  values: PoolOptionValues,
): Promise<void> {
  const { document } = found;
  const answer = await questions.edits(found, values);
  if (answer === undefined)
    return say(
      'These options cannot be edited safely where the pool is created. Change them where they are set.',
    );
  const { version, edits } = answer;
  if (edits.length === 0) return say('The pool already has these options.');
  if (document.version !== version) return say('The file has changed. Try again.');
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
  if (!(await workspace.applyEdit(change))) say('The editor rejected the change.');
}
