import { Range, Uri, window, workspace } from 'vscode';
import type { PoolDeclaration } from '../../server/protocol.ts';
import { plainLabel } from '../connections/plain-labels.ts';
import type { FoundPool, PoolQuestions } from './pool-questions.ts';

/** Asks for one of the pools of the workspace whose options can be written, and shows it; the only one is not asked about. */
export async function choosePool(questions: PoolQuestions): Promise<FoundPool | undefined> {
  const pools = ((await questions.declared())?.pools ?? []).filter(({ isWritable }) => isWritable);
  const service = pools.filter(({ isAside }) => !isAside);
  const offered = service.length > 0 ? service : pools;
  if (offered.length === 0)
    return void window.showInformationMessage(
      'The code creates no pool whose options can be edited. Place the cursor in a `new Pool(…)` and try again.',
    );
  const pool = offered.length === 1 ? offered[0] : await pick(offered);
  return pool && show(pool, questions);
}

async function pick(pools: readonly PoolDeclaration[]): Promise<PoolDeclaration | undefined> {
  const items = pools.map((pool) => ({
    label: plainLabel(pool.name ?? 'Pool'),
    description: plainLabel(
      `${workspace.asRelativePath(Uri.parse(pool.uri))}:${pool.range.start.line + 1}${pool.max === undefined ? '' : `, max ${pool.max}`}`,
    ),
    pool,
  }));
  return (
    await window.showQuickPick(items, {
      title: 'Which pool?',
      matchOnDescription: true,
    })
  )?.pool;
}

async function show(
  { uri, range: { start, end } }: PoolDeclaration,
  questions: PoolQuestions,
): Promise<FoundPool | undefined> {
  const range = new Range(start.line, start.character, end.line, end.character);
  try {
    const { document } = await window.showTextDocument(Uri.parse(uri, true), {
      selection: new Range(range.start, range.start),
    });
    // What is open counts, not what was on the disk.
    const pools = await questions.poolsIn(document);
    const pool = pools.find((each) => each.range.start.line === start.line) ?? pools[0];
    return pool && { document, pool };
  } catch {
    return void window.showInformationMessage('The file of the pool can no longer be opened.');
  }
}
