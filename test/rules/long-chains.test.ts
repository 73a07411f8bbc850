import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';

/** `step0` calls `step1`, and so on; the last one does the work. */
function chain(length: number, parameters: string, last: string): string {
  const given = parameters.replaceAll(/ =[^,]*/gu, '');
  return Array.from({ length }, (_, index) => {
    const body = index === length - 1 ? last : `return step${index + 1}(${given});`;
    return `async function step${index}(${parameters}) { ${body} }`;
  }).join('\n');
}

/** A function that holds a client across `await <call>`, with the mark that the call gets. */
function holding(name: string, call: string, id?: string): string {
  const mark = id === undefined ? '' : `${' '.repeat(6)}${'^'.repeat(call.length)} ${id}`;
  return `async function ${name}() {
  const c = await pool.connect();
  try {
    await ${call};
  //${mark.slice(id === 'held' ? 6 : 0).replace(/ held$/u, '^^^^^^ held')}
  } finally { c.release(); }
}`;
}

/** Each calls the other, and one of them does the work in the end. */
const inCircle = (work: string): string =>
  `async function ping(n, c) { if (n > 0) await pong(n - 1, c); }
async function pong(n, c) { if (n > 0) await ping(n - 1, c); else { ${work} } }`;

describe('slow work is seen over chains of calls of any length', () => {
  const work = "await fetch('https://example.test');";
  checkRule('no-external-await-while-holding', [
    {
      name: 'forty calls away',
      code: `${chain(40, '', work)}\n${holding('f', 'step0()', 'held')}`,
    },
    {
      name: 'behind functions that call each other, whichever is asked first',
      code: `${inCircle(work)}\n${holding('f', 'ping(1)', 'held')}\n${holding('g', 'pong(1)', 'held')}`,
    },
    {
      name: 'functions that only call each other',
      code: `${inCircle('')}\n${holding('f', 'ping(1)')}`,
    },
  ]);
});

describe('second checkouts are seen over chains of calls of any length', () => {
  const work = "await pool.query('SELECT 1');";
  const others = Array.from({ length: 20 }, (_, index) => `other${index}`);
  checkRule('no-nested-checkout', [
    {
      name: 'forty calls away',
      code: `${chain(40, '', work)}\n${holding('f', 'step0()', 'helper')}`,
    },
    {
      name: 'with a client that is handed on and serves instead',
      code: `${chain(12, 'client', "await (client ?? pool).query('SELECT 1');")}
${holding('f', 'step0()', 'helper')}\n${holding('g', 'step0(c)')}`,
    },
    {
      name: 'with the pool given to the first of them',
      code: `const other = new Pool();\n${chain(12, 'db', "await db.query('SELECT 1');")}
${holding('f', 'step0(pool)', 'helper')}\n${holding('g', 'step0(other)')}\n${holding('h', 'step0(c)')}`,
    },
    {
      name: 'behind functions that call each other, whichever is asked first',
      code: `${inCircle(work)}\n${holding('f', 'pong(1)', 'helper')}\n${holding('g', 'ping(1)', 'helper')}`,
    },
    {
      name: 'behind more than a dozen other pools',
      code: `${others.map((name) => `const ${name} = new Pool();`).join('\n')}
async function all() { ${others.map((name) => `await ${name}.query('SELECT 1');`).join(' ')} ${work} }
${holding('f', 'all()', 'helper')}`,
    },
  ]);
});
