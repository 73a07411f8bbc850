import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const system = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** `CHROME_PATH`, else Playwright's own, else the system's. */
export function findChromium(): string {
  const path = [process.env['CHROME_PATH'], chromium.executablePath(), ...system].find(
    (each) => each !== undefined && existsSync(each),
  );
  if (path === undefined)
    throw new Error(
      'No Chromium was found: install one (apt-get install chromium, or npx playwright-core install chromium), or set CHROME_PATH to its executable.',
    );
  return path;
}
