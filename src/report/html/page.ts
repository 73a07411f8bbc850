import { createHash } from 'node:crypto';
import { chartStyle } from './chart-style.ts';
import { html, trusted, type Markup } from './markup.ts';
import { style } from './style.ts';

export interface Page {
  readonly title: string;
  readonly header: Markup;
  readonly main: Markup;
  readonly footer: string;
}

/**
 * One HTML page that needs nothing else: no network, no further file, no script. All text of the input is escaped, and the
 * page's content security policy allows exactly the one style sheet that it was made with.
 */
export function renderPage({ title, header, main, footer }: Page): string {
  const sheet = style + chartStyle;
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(sheet).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${trusted(sheet)}</style>
</head>
<body>
<header>${header}</header>
<main>
${main}
</main>
<footer>${footer}</footer>
</body>
</html>
`.html;
}
