import { describe } from 'vitest';
import { checkRule, withHeader } from '../support/marked.ts';

const header = "import { Client, Pool } from 'pg';";

describe('a connection of which nothing is kept', () => {
  checkRule(
    'no-unreleased-client',
    withHeader(header, [
      {
        name: 'is lost',
        code: `
export async function isUp(url) {
  await new Client(url).connect();
  //    ^^^^^^^^^^^^^^^^^^^^^^^^^ lostConnection
  return true;
}`,
      },
      {
        name: 'is lost behind handlers that do not get it, and where nobody waits',
        code: `
app.get('/health', (request, response) => {
  new Client().connect().then(() => response.json({})).catch((error) => response.json(error));
//^^^^^^^^^^^^^^^^^^^^^^ lostConnection
});
export function warm() { void 0; new Client().connect(); }
//                               ^^^^^^^^^^^^^^^^^^^^^^ lostConnection`,
      },
      {
        name: 'is not where the promise gives it, or something has it',
        code: `
export async function f() {
  const client = await new Client().connect();
  await new Client().connect().then((c) => c.end());
  const other = new Client();
  await other.connect();
  await new Pool().query('SELECT 1');
  return [client, new Client().connect()];
}`,
      },
      {
        name: 'is not where the program ends',
        code: "await new Client().connect();\nconsole.log('up');\nprocess.exit(0);",
      },
    ]),
  );
});
