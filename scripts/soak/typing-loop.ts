import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { writeWorkspace } from '../bench/editor/generated-workspace.ts';
import { startServerClient, type ServerClient } from '../bench/editor/server-client.ts';
import { typeBetween } from '../bench/editor/typing.ts';
import type { HeapNotes } from './heap-notes.ts';

const files = 24;
const keystrokes = 4;
/** So few that each has been open twice soon. */
const documentTexts = 6;
/** The whole workspace is checked after so many documents. */
const documentsUntilCheck = 10;

/** The real language server, and somebody who opens one document after the other, types and closes it. */
export interface TypingLoop extends AsyncDisposable {
  readonly processId: number;
  readonly count: () => number;
}

/** `onFailure` hears what ends the loop too early. */
export async function startTypingLoop(
  folder: string,
  notes: HeapNotes,
  onFailure: (sentence: string) => void,
): Promise<TypingLoop> {
  writeWorkspace(folder, files);
  const client = await startServerClient(folder, {
    execArgv: notes.execArgv,
    variables: notes.variables,
    detached: true,
  });
  const part = join(folder, 'src/part-0');
  const texts = readdirSync(part)
    .slice(0, documentTexts)
    .map((name) => readFileSync(join(part, name), 'utf8'));
  const loop = { isOver: false, count: 0 };
  const working = (async () => {
    for (let n = 0; !loop.isOver; n++) {
      // A name of its own each, as of new files: nothing may be kept by the name of a document that was closed.
      await editOne(
        client,
        pathToFileURL(join(part, `edited-${n}.ts`)).href,
        texts[n % texts.length] ?? '',
        loop,
      );
      if (n % documentsUntilCheck === documentsUntilCheck - 1) await client.checkWorkspace();
      loop.count += 1;
    }
  })();
  working.catch((problem: unknown) => {
    if (!loop.isOver)
      onFailure(`language server: ${problem instanceof Error ? problem.message : String(problem)}`);
  });
  return {
    processId: client.processId,
    count: () => loop.count,
    [Symbol.asyncDispose]: async () => {
      loop.isOver = true;
      await working.catch(() => undefined);
      await client[Symbol.asyncDispose]();
    },
  };
}

async function editOne(
  client: ServerClient,
  uri: string,
  text: string,
  loop: { readonly isOver: boolean },
): Promise<void> {
  await client.open(uri, text);
  await client.diagnostics(uri);
  for (const [index, { at, text: typed }] of typeBetween(text, keystrokes)
    .slice(0, keystrokes)
    .entries()) {
    if (loop.isOver) break;
    await client.insert(uri, index + 2, at, typed);
    await client.diagnostics(uri);
    await pause(20);
  }
  await client.close(uri);
}
