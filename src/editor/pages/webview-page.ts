import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';

export interface Page {
  /** A bundle in dist/webview, for example "pool-view". */
  readonly script: string;
  /** The element that the bundle defines. */
  readonly element: string;
  readonly title: string;
}

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

interface Addresses {
  readonly script: string;
  readonly style: string;
  readonly source: string;
  readonly nonce: string;
}

function toHtml({ element, title }: Page, { script, style, source, nonce }: Addresses): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}; font-src ${source}; img-src ${source}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>${title}</title>
</head>
<body><${element}></${element}><script type="module" nonce="${nonce}" src="${script}"></script></body>
</html>`;
}
