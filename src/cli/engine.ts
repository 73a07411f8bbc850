import { createFileCheck, type CheckSettings, type FileCheck } from '../lint/check-file.ts';
import { createCodeReader as createReader, type CodeReader } from '../lint/code-reader.ts';
import { poolguard } from '../lint/poolguard.ts';
import { serveLintThread } from '../lint/serve-lint-thread.ts';
import { serveStdio as serve } from './serve-stdio.ts';

// All that runs the rules: a bundle of its own, which is loaded when a file has to be checked.

export const createCheck = (settings: CheckSettings): FileCheck =>
  createFileCheck(poolguard, settings);

export const createCodeReader = (cwd: string): CodeReader => createReader(poolguard, cwd);

export const serveThread = (): void => {
  serveLintThread(poolguard);
};

export const serveStdio = (): void => {
  serve(poolguard);
};
