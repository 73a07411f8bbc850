import { describe } from 'vitest';
import { checkRule, type Sample } from '../../support/marked.ts';

const types = `
import { Knex } from 'knex';
export type Parts = { app: App; db?: Knex; log: Log };
export type Routes = (parts: Parts) => void;
export interface Callable { (parts: Parts): void }
export interface Overloaded { (parts: Parts): void; (name: string): void }
export interface Service { routes(parts: Parts): void }
export type InTransaction = (parts: { db: Knex.Transaction }) => void;
export abstract class Base { abstract routes(parts: Parts): void }
export function run(work: Routes): void { work(made); }
`;

const models = `
import knex from 'knex';
import { Model } from 'objection';
export const db = knex({});
export class User extends Model {}
Model.knex(db);
`;

const inside = (query: string, mark: boolean): string => `
    const trx = await db.transaction();
    try {
      await ${query}.insert({});
      ${mark ? `//    ${'^'.repeat(query.length)} outside` : ''}
      await trx.commit();
    } catch (error) { await trx.rollback(); throw error; }`;

const program = (declaration: string, body: string): string => `
import { User } from './models';
import { run, Routes, Callable, Overloaded, Service, InTransaction, Parts } from './types';
${declaration.replace('BODY', `async () => {${body}\n  }`)}`;

const sample = (name: string, declaration: string, body: string): Sample => ({
  name,
  header: '',
  code: program(declaration, body),
  files: { 'types.ts': types, 'models.ts': models },
});

const found = [
  ['a type of functions', 'export const r: Routes = ({ app, db }) => { app.post(BODY); };'],
  [
    'an interface that can be called',
    'export const r: Callable = ({ app, db }) => app.post(BODY);',
  ],
  ['a whole object', 'export const r: Routes = (parts) => { const { db } = parts; on(BODY); };'],
  ['a function expression', 'export const r: Routes = function ({ db }) { on(BODY); };'],
  ['satisfies', 'export const r = (({ db }) => { on(BODY); }) satisfies Routes;'],
  ['a member of an object', 'export const s: Service = { routes: ({ db }) => { on(BODY); } };'],
  ['a method of an object', 'export const s: Service = { routes({ db }) { on(BODY); } };'],
  ['an argument', 'run(({ db }) => { on(BODY); });'],
  ['what a function gives', 'export const make = (): Routes => ({ db }) => { on(BODY); };'],
  ['a return', 'export function make(): Routes { return ({ db }) => { on(BODY); }; }'],
  ['a field', 'export class C { routes: Routes = ({ db }) => { on(BODY); }; }'],
] as const;

const silent = [
  ['several ways to call it', 'export const r: Overloaded = ({ db }) => { on(BODY); };'],
  ['the handle of a transaction', 'export const r: InTransaction = ({ db }) => { on(BODY); };'],
  ['no type', 'export const r = ({ db }) => { on(BODY); };'],
  ['a name that the type lacks', 'export const r: Routes = ({ db: { db } }) => { on(BODY); };'],
  ['a type of its own', 'export const r: Routes = ({ db }: Other) => { on(BODY); };'],
  ['the rest', 'export const r: Routes = (...[{ db }]) => { on(BODY); };'],
] as const;

describe('a parameter whose type stands at its function', () => {
  checkRule('no-nested-checkout', [
    ...found.map(([name, declaration]) => sample(name, declaration, inside('User.query()', true))),
    ...silent.map(([name, declaration]) =>
      sample(`silent for ${name}`, declaration, inside('User.query()', false)),
    ),
    sample(
      'silent for what is told of the transaction',
      'export const r: Routes = ({ db }) => { on(BODY); };',
      inside('User.query(trx)', false),
    ),
  ]);

  checkRule('no-unreleased-client', [
    sample(
      'a transaction that is left open',
      'export const r: Routes = ({ db }) => { on(BODY); };',
      `
    const trx = await db.transaction();
    //                ^^^^^^^^^^^^^^^^ notEndedOnSomePath
    try {
      if (!ok) return;
      await trx.commit();
    } catch (error) { await trx.rollback(); throw error; }`,
    ),
  ]);
});
