export interface Page {
  /** A bundle in dist/webview, for example "sidebar". */
  readonly script: string;
  /** The element that the bundle defines. */
  readonly element: string;
  readonly title: string;
}

export interface Addresses {
  readonly script: string;
  readonly style: string;
  readonly source: string;
  readonly nonce: string;
}

/** The whole page: its bundle, its sheet, and nothing else. */
export function toHtml(
  { element, title }: Page,
  { script, style, source, nonce }: Addresses,
): string {
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
<body><main><${element}></${element}></main><script type="module" nonce="${nonce}" src="${script}"></script></body>
</html>`;
}
