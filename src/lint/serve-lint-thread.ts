import { parentPort, workerData } from 'node:worker_threads';
import { createFileCheck } from './check-file.ts';
import { codeOfFile, codeOfSql, mayHoldCode, noFileCode } from './file-code.ts';
import { createInspector, createLinter } from './linter.ts';
import { mayUsePool } from './may-use-pool.ts';
import type { Mistake } from './mistake.ts';
import type { Analyser } from './analyser.ts';
import { readSource } from './read-source.ts';
import { textsBeside } from './texts-beside.ts';
import {
  nothingFound,
  type AnyQuestion,
  type CodeAnswer,
  type CodeQuestion,
  type ThreadAnswer,
  type ThreadQuestion,
  type ThreadStart,
} from './thread-messages.ts';
import { createProgram, type Program } from './program.ts';

/** The other end of `createLintThread`: answers until the thread is ended. */
export function serveLintThread(analyser: Analyser): void {
  const { open, checks } = workerData as ThreadStart;
  const check = checks && createFileCheck(analyser, checks);
  const program = createProgram({
    isFixed: true,
    textOf: (path) => asOpen(open.get(path)),
    paths: () => open.keys(),
  });
  const answerTo = async (question: AnyQuestion): Promise<unknown> => {
    if (!('wants' in question)) return answer(question, analyser, program, open);
    return question.wants === 'code'
      ? readCode(question, analyser, program)
      : check?.(question.path);
  };
  parentPort?.on('message', (question: AnyQuestion) => {
    void answerTo(question).then((found) => parentPort?.postMessage(found));
  });
}

function asOpen(text: string | undefined) {
  return text === undefined ? undefined : { text, version: 1 };
}

async function answer(
  { path, settings }: ThreadQuestion,
  analyser: Analyser,
  program: Program,
  open: ThreadStart['open'],
): Promise<ThreadAnswer> {
  const text = readSource(path);
  if (!mayUsePool(text) || !analyser.mayFind({ path, text }, program.modules()))
    return nothingFound;
  const { problems, mistake } = createLinter(analyser, settings, program)({ path, text });
  const beside = await textsBeside(problems, (file) =>
    Promise.resolve(open.get(file) ?? (readSource(file) || undefined)),
  );
  return { problems, text: problems.length > 0 ? text : '', beside, mistake };
}

function readCode(
  { path, settings, isLinted }: CodeQuestion,
  analyser: Analyser,
  program: Program,
): CodeAnswer {
  const text = readSource(path);
  if (path.endsWith('.sql')) return { code: codeOfSql(text) };
  if (!mayHoldCode(text)) return { code: noFileCode };
  let mistake: Mistake | undefined;
  const inspect = createInspector(analyser, settings, program, (found) => (mistake ??= found));
  const code = codeOfFile(inspect({ path, text }), isLinted);
  return { code, mistake };
}
