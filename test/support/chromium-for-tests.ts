import { chromium, type Browser } from 'playwright-core';
import { needTool } from '../../scripts/test-tools/find.mjs';

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: needTool('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
