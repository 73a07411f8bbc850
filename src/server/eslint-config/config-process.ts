import { fork, type ChildProcess } from 'node:child_process';
import * as v from 'valibot';
import { codeOf } from '../../lint/code-of.ts';
import { ConfigAnswer, type ConfigQuestion } from './messages.ts';

export interface ConfigProcessOptions {
  /** The bundle of `process.ts`: `dist/eslint-config.cjs`. */
  readonly file: string;
  /** Milliseconds that an answer may take. */
  readonly limitMs: number;
  /** Milliseconds without a question after which the process ends. */
  readonly idleMs: number;
}

/** A process that runs the ESLint configuration of one folder, started by the first question and again after it has ended. */
export interface ConfigProcess {
  /** Never rejects. One question at a time, so that whoever hangs or exits is the one to blame. */
  ask(question: ConfigQuestion): Promise<ConfigAnswer>;
  /** Ends after the questions that were asked. */
  retire(): void;
  /** Ends now. */
  end(): void;
}

export function createConfigProcess(options: ConfigProcessOptions): ConfigProcess {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isEnded = false;
  let queue: Promise<unknown> = Promise.resolve();
  const kill = () => {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = undefined;
  };
  const end = () => {
    isEnded = true;
    kill();
  };
  const askNow = async (question: ConfigQuestion): Promise<ConfigAnswer> => {
    if (isEnded) return ended;
    clearTimeout(idle);
    const asked = (child = isAlive(child) ? child : start(options.file));
    const answer = await answerOf(asked, question, options.limitMs);
    if (!isAlive(asked)) child = undefined;
    idle = setTimeout(kill, options.idleMs).unref();
    return answer;
  };
  return {
    ask(question) {
      const answer = queue.then(() => askNow(question));
      queue = answer;
      return answer;
    },
    retire: () => void queue.then(end),
    end,
  };
}

const noAnswer: ConfigAnswer = {
  kind: 'broken',
  sentence: 'it sent unexpected messages to the process that started it',
};
const ended: ConfigAnswer = { kind: 'broken', sentence: 'its process was ended' };

function isAlive(child: ChildProcess | undefined): child is ChildProcess {
  return child?.connected === true && !child.killed;
}

function start(file: string): ChildProcess {
  const child = fork(file, [], {
    // Inspector and loader flags of this process are not meant for that one.
    execArgv: [],
    // The extension host's executable is Electron. What is compiled of a workspace's modules is not kept: the folder for that is our bundle's.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_COMPILE_CACHE: undefined },
    // What a configuration prints must not get into the talk with the editor. The child watches standard input: it closes with this process.
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
  // An error is told by the answer that does not come.
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  return child;
}

function answerOf(
  child: ChildProcess,
  question: ConfigQuestion,
  limitMs: number,
): Promise<ConfigAnswer> {
  return new Promise((resolve) => {
    const settle = (answer: ConfigAnswer) => {
      clearTimeout(limit);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      resolve(answer);
    };
    const onMessage = (told: unknown) => {
      settle(v.parse(v.fallback(ConfigAnswer, noAnswer), told));
    };
    const onExit = () => {
      settle({ kind: 'broken', sentence: 'it ended the process' });
    };
    const onError = (failure: Error) => {
      settle({ kind: 'broken', sentence: `its process failed (${codeOf(failure)})` });
    };
    const limit = setTimeout(() => {
      settle({ kind: 'broken', sentence: `it took longer than ${limitMs / 1000} s` });
      child.kill('SIGKILL');
    }, limitMs);
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    // A process that could not be started has no channel, and its error comes a moment later.
    if (child.connected)
      child.send(question, (failure) => {
        if (failure !== null) onExit();
      });
  });
}
