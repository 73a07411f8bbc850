import { Disposable, extensions, workspace } from 'vscode';
import type { HostFacts } from '../../server/asked.ts';

/** Shows what the workspace's ESLint reports. That of oxlint does not: its reports follow another configuration, and are told by themselves. */
const eslintExtension = 'dbaeumer.vscode-eslint';

export function readHostFacts(): HostFacts {
  return {
    isTrusted: workspace.isTrusted,
    showsEslint: extensions.getExtension(eslintExtension) !== undefined,
    foldersWithoutEslint: (workspace.workspaceFolders ?? [])
      .filter(({ uri }) => workspace.getConfiguration('eslint', uri).get('enable') === false)
      .map(({ uri }) => uri.toString()),
    showsPaths: true,
    checksWorkspaceOnDemand: true,
  };
}

export function onHostFactsChanged(listener: (facts: HostFacts) => void): Disposable {
  const tell = () => {
    listener(readHostFacts());
  };
  return Disposable.from(
    workspace.onDidGrantWorkspaceTrust(tell),
    extensions.onDidChange(tell),
    workspace.onDidChangeWorkspaceFolders(tell),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('eslint.enable')) tell();
    }),
  );
}
