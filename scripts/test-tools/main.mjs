// Brings the programs that tests start and that are not on this machine: `npm run test-tools`, or with the names of some.
// What cannot be had is said once, before the first test; the tests that need it fail, and all others run.
import { bringChromium } from './chromium.mjs';
import { describeMissing } from './describe-missing.mjs';
import { findTool } from './find.mjs';
import { bringNeovim } from './neovim.mjs';
import { bringPgBouncer } from './pgbouncer.mjs';

const bringers = { pgbouncer: bringPgBouncer, chromium: bringChromium, neovim: bringNeovim };
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(bringers);

async function bring(tool) {
  if (findTool(tool) !== undefined) return [];
  console.log(`${tool} is not on this machine.`);
  try {
    await bringers[tool]((line) => console.log(line));
    return [];
  } catch (error) {
    return [{ tool, why: error.message }];
  }
}

const missing = [];
for (const tool of wanted) missing.push(...(await bring(tool)));
if (missing.length > 0) console.error(describeMissing(missing, process.platform));
