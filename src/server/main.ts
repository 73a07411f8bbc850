// The language server as a process, which VS Code starts. As a thread it lints.
import { isMainThread } from 'node:worker_threads';

void import('./engine.ts').then(({ serveProcess, serveThread }) =>
  isMainThread ? serveProcess() : serveThread(),
);
