import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLinter } from '../../../src/lint/linter.ts';
import { poolguard } from '../../../src/lint/analyser.ts';
import { writeWorkspace } from '../../bench/editor/generated-workspace.ts';
import type { Role } from './role.ts';

const files = 12;

/** `src/lint` over the same workspace again and again; each round finds a file changed that others import. */
export const lintLoop: Role = ({ folder }, tell) => {
  writeWorkspace(folder, files);
  const part = join(folder, 'src/part-0');
  const names = readdirSync(part);
  const helpers = readFileSync(join(part, 'helpers.ts'), 'utf8');
  let isOver = false;
  let done = 0;
  const work = async () => {
    for (let round = 1; !isOver; round++) {
      writeFileSync(join(part, 'helpers.ts'), `${helpers}// round ${round}\n`);
      const lint = createLinter(poolguard, { preset: 'strict' });
      for (const name of names) {
        if (isOver) break;
        // What is linted is new each time, as in an editor: nothing may be kept by its text.
        lint({
          path: join(part, name),
          text: `${readFileSync(join(part, name), 'utf8')}\n// round ${round}\n`,
        });
        tell({ kind: 'done', count: (done += 1) });
        await pause(10);
      }
    }
  };
  tell({ kind: 'working', children: {} });
  const working = work();
  return Promise.resolve(() => {
    isOver = true;
    return working;
  });
};
