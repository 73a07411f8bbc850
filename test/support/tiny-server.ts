// The language server with the tiny plugin, as a process of its own.
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { hostWithoutFiles } from '../../src/server/host.ts';
import { startServer } from '../../src/server/server.ts';
import { createTinyPlugin } from './tiny-plugin.ts';

startServer(createConnection(ProposedFeatures.all), createTinyPlugin(), hostWithoutFiles);
