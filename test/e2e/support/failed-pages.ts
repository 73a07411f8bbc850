import type { Page } from 'playwright-core';
import { afterEach } from 'vitest';
import { aMoment } from './patience.ts';
import { openPages } from './open-pages.ts';

const longestText = 1500;

/** A failed wait tells what did not come; this tells what was there instead. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const shown = await Promise.all([...openPages].map(describePage));
  if (shown.length > 0) throw new Error(`The window then:\n${shown.join('\n')}`);
});

/** The element with the focus, and the texts that can be seen, on one line each. */
async function describePage(page: Page): Promise<string> {
  const seen = page.evaluate<string>(`(() => {
    const focused = document.activeElement;
    const path = [];
    for (let each = focused; each && path.length < 4; each = each.parentElement)
      path.unshift([each.tagName.toLowerCase(), ...each.classList].join('.'));
    return 'focus: ' + path.join(' > ') + '\\ntext: ' + document.body.innerText.replace(/\\s+/gu, ' ');
  })()`);
  const late = new Promise<string>((resolve) =>
    setTimeout(resolve, 2 * aMoment, 'The page did not answer.'),
  );
  return (await Promise.race([seen.catch(String), late])).slice(0, longestText);
}
