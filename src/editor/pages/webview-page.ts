import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';
import { toHtml, type Page } from './page-html.ts';

/** Loads one bundle and nothing else: no remote origin, no inline script, no inline style. */
export function fillWebview(webview: Webview, extensionUri: Uri, page: Page): void {
  const folder = Uri.joinPath(extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = toHtml(page, {
    script: webview.asWebviewUri(Uri.joinPath(folder, `${page.script}.js`)).toString(),
    style: webview.asWebviewUri(Uri.joinPath(folder, 'page.css')).toString(),
    source: webview.cspSource,
    nonce: randomBytes(18).toString('base64url'),
  });
}
