// The language server as a web worker: started by VS Code in a browser.
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { poolguard } from '../lint/analyser.ts';
import { hostWithoutFiles } from './host.ts';
import { startServer } from './server.ts';

/** The types of Node do not know a worker of a browser. */
const worker = globalThis as never;

startServer(
  createConnection(
    ProposedFeatures.all,
    new BrowserMessageReader(worker),
    new BrowserMessageWriter(worker),
  ),
  poolguard,
  hostWithoutFiles,
);
