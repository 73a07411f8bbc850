import { html } from '../html/markup.ts';
import { renderPage } from '../html/page.ts';
import { renderSheet } from '../html/sheet.ts';
import type { Sheet } from '../sheet.ts';

/** One page with its charts as SVG; `page.ts` says what it needs. */
export function writeHtml(sheet: Sheet): string {
  return renderPage({
    title: `${sheet.title}: ${sheet.place[0] ?? ''}`,
    header: html`<h1>${sheet.title}</h1>`,
    main: renderSheet(sheet, 'h2'),
    footer:
      'Made by Poolguard. This page contains texts of statements; share it as you would share those.',
  });
}
