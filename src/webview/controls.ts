import { VscodeBadge } from '@vscode-elements/elements/dist/vscode-badge/vscode-badge.js';
import { VscodeButton } from '@vscode-elements/elements/dist/vscode-button/vscode-button.js';
import { VscodeProgressBar } from '@vscode-elements/elements/dist/vscode-progress-bar/vscode-progress-bar.js';
import { define } from './define.ts';

/** The only file that knows whose controls these are, so that another library can take their place. */
export function defineControls(): void {
  define('poolguard-button', class extends VscodeButton {});
  define('poolguard-badge', class extends VscodeBadge {});
  define('poolguard-progress', class extends VscodeProgressBar {});
}
