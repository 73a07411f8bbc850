// The language server as a process: started with --node-ipc by VS Code, with --stdio by other editors.
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { poolguard } from '../lint/poolguard.ts';
import { createNodeHost } from './node-host.ts';
import { startServer } from './server.ts';

startServer(createConnection(ProposedFeatures.all), poolguard, createNodeHost());
