// What the extension loads with its server's first start: a bundle of its own, `dist/client-library.cjs`, so that activation need not even parse it.
export { createClient } from './create-client.ts';
export { serverProcess } from './server-process.ts';
export { WorkDoneProgress, WorkspaceDiagnosticRequest } from 'vscode-languageclient';
