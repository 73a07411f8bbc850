import { describe } from 'vitest';
import { checkRule } from '../../support/marked.ts';
import { libraries } from '../../support/lending-libraries.ts';
import { markedCalls } from '../../support/marked-calls.ts';

const { Sequelize: _, ...others } = libraries;

describe('a parameter is what the call gives', () => {
  for (const [library, row] of Object.entries(others)) {
    const query = row.outer.replaceAll(/[«»]/gu, '').replace(/^db\b/u, 'handle');
    const sample = (name: string, declared: string, use: string) => ({
      name: `${library}: ${name}`,
      header: '',
      code: markedCalls(
        `${row.header}\n${declared.replace('QUERY', query).replaceAll('TYPE', row.type)}\nexport const run = () =>\n${row.lend('db', `async (tx) => {\n${use}\n}`)};`,
      ),
    });
    const add = 'async function add(handle: TYPE, values, text, data, tx) { await QUERY; }';
    checkRule('no-nested-checkout', [
      sample('the outer handle', add, 'await «add(db)»; // outsideInHelper'),
      sample('the handle of the transaction', add, 'await add(tx);'),
      sample('either', add, 'await add(tx);\nawait «add(db)»; // outsideInHelper'),
      sample(
        'by way of another one',
        `${add}\nasync function addAll(handle: TYPE) { await add(handle); }`,
        'await addAll(tx);\nawait «addAll(db)»; // outsideInHelper',
      ),
      sample(
        'as an option',
        'async function add({ handle }: { handle: TYPE }, values, text, data, tx) { await QUERY; }',
        'await add({ handle: tx });\nawait «add({ handle: db })»; // outsideInHelper',
      ),
      sample('of a function that nobody here calls', add, 'await given(add);'),
    ]);
  }
});
