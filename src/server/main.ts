// The language server as a process: started with --node-ipc by VS Code, with --stdio by other editors.
import { join } from 'node:path';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { poolguard } from '../lint/poolguard.ts';
import { createNodeHost } from './node-host.ts';
import { startServer } from './server.ts';

const connection = createConnection(ProposedFeatures.all);
startServer(connection, poolguard, createNodeHost({ eslintConfig: join(__dirname, 'eslint-config.cjs'), log: (sentence) => { connection.console.warn(sentence); } }));
