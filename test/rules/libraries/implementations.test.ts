import { describe } from 'vitest';
import { checkRule, type Sample } from '../../support/marked.ts';

const caller = `
import { PrismaClient } from '@prisma/client';
import { Rates } from './rates';
const prisma = new PrismaClient();
export class Orders {
  constructor(private readonly rates: Rates) {}
  async pay(id) {
    await prisma.$transaction(async (tx) => {
      await this.rates.fetch(id);
    MARK
      await tx.order.update({ where: { id } });
    });
  }
}`;

const mark = `//${'^'.repeat(26)} inTransaction`;

const asInterface = 'export interface Rates { fetch(id: string): Promise<number> }\n';
const asType = 'export type Rates = { fetch: (id: string) => Promise<number> };\n';
const ofClass = `export class HttpRates implements Rates {
  async fetch(id: string) { return this.load(id); }
  private async load(id: string) { return (await fetch('https://example.test/' + id)).json(); }
}
`;
const ofFunction = (type: string): string => `
async function load(id: string) { return (await fetch('https://example.test/' + id)).json(); }
export ${type.startsWith('Promise') ? 'async ' : ''}function createRates(): ${type} {
  return { fetch: (id: string) => load(id) };
}
`;

const sample = (
  name: string,
  isFound: boolean,
  rates: string,
  more: Readonly<Record<string, string>> = {},
): Sample => ({
  name,
  header: '',
  code: caller.replace('MARK', isFound ? mark : ''),
  files: { 'package.json': '{}', 'rates.ts': rates, ...more },
});

const other = { 'other.ts': "import { Rates } from './rates';\nOTHER" };
const otherwise = (text: string): Readonly<Record<string, string>> => ({
  'other.ts': other['other.ts'].replace('OTHER', text),
});

describe('an interface that one thing implements', () => {
  checkRule('no-external-await-while-holding', [
    sample('a class', true, asInterface + ofClass),
    sample('a class of a type', true, asType + ofClass),
    sample('a function that gives an object', true, asInterface + ofFunction('Rates')),
    sample('a promise of an object', true, asInterface + ofFunction('Promise<Rates>')),
    sample(
      'others that are given one',
      true,
      asInterface + ofClass,
      otherwise(
        'export class Other { constructor(private rates: Rates) {} use(rates: Rates, n = 1) {} }',
      ),
    ),
    sample(
      'silent for two classes',
      false,
      `${asInterface + ofClass}class Fixed implements Rates { async fetch() { return 1; } }`,
    ),
    sample('silent for a class and an object', false, asInterface + ofClass + ofFunction('Rates')),
    ...[
      'export class Fixed extends Base implements A, Rates { async fetch() { return 1; } }',
      'export const fixed: Rates = { fetch: async () => 1 };',
      'export const fixed = { fetch: async () => 1 } as Rates;',
      'export const fixed = { fetch: async () => 1 } satisfies Rates;',
      'export const fixed = (): Rates => ({ fetch: async () => 1 });',
      'export async function fixed(): Promise<Rates> { return { fetch: async () => 1 }; }',
    ].map((text) =>
      sample(`silent for another: ${text}`, false, asInterface + ofClass, otherwise(text)),
    ),
    sample('silent for nothing that implements it', false, asInterface),
    sample(
      'silent for a method that is not slow',
      false,
      `${asInterface}export class Fixed implements Rates { async fetch() { return 1; } }`,
    ),
  ]);
});
