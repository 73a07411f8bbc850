import { Disposable, extensions, workspace } from 'vscode';
import type { HostFacts } from '../../server/protocol.ts';

/** Extensions that show what ESLint or oxlint reports. */
const linters = ['dbaeumer.vscode-eslint', 'oxc.oxc-vscode'];

export function readHostFacts(): HostFacts {
  return { isTrusted: workspace.isTrusted, showsEslint: linters.some((id) => extensions.getExtension(id) !== undefined), checksWorkspaceOnDemand: true };
}

export function onHostFactsChanged(listener: (facts: HostFacts) => void): Disposable {
  const tell = () => { listener(readHostFacts()); };
  return Disposable.from(workspace.onDidGrantWorkspaceTrust(tell), extensions.onDidChange(tell));
}
