import { describe } from 'vitest';
import { checkRule } from '../support/marked.ts';

describe('definitions that go round in circles come to an end', () => {
  checkRule('no-unreleased-client', [
    {
      name: 'a variable named like the namespace of its type',
      code: `
let Cookies: Cookies.CookiesStatic | undefined;
export async function read() {
  const client = await Cookies.connect();
  await client.query('SELECT 1');
}
`,
    },
    {
      name: 'a parameter whose type is its own',
      code: `
export async function read(db: typeof db) {
  const client = await db.connect();
  return client.rows;
}
`,
    },
    {
      name: 'files that export each other’s exports',
      code: `
import { db, other } from './left.ts';
export async function read() {
  const client = await db.connect();
  return (await other.connect(client)).rows;
}
`,
      files: {
        'left.ts': "export { db } from './right.ts';\nexport * from './right.ts';\n",
        'right.ts': "export { db } from './left.ts';\nexport * from './left.ts';\n",
      },
    },
    {
      name: 'classes that extend each other',
      code: `
class A extends B {}
class B extends A {}
const db = new A();
export async function read() {
  const client = await db.connect();
  return client.rows;
}
`,
    },
    {
      name: 'functions that return each other’s result',
      code: `
const left = () => right();
const right = () => left();
export async function read() {
  const client = await left().connect();
  return client.rows;
}
`,
    },
    {
      name: 'variables and members made of each other',
      code: `
const a = { b: { get c() { return a.b; } } };
let x = y, y = x;
export async function read({ z = z }) {
  const client = await (a.b.c.c ?? x ?? z).connect();
  return client.rows;
}
`,
    },
  ]);
});
