import type { SecondCheckoutForm } from './second-checkout.ts';
import type { Team, TeamCall, TeamForm } from './teams.ts';

/**
 * What random programs are made of. A piece names the client that it works on by a number, counted modulo the clients in scope,
 * so that every combination of pieces is a program and stays one while it shrinks.
 */
export type Piece =
  | { readonly kind: 'query'; readonly client: number; readonly how: QueryForm }
  | { readonly kind: 'transaction'; readonly client: number; readonly text: TransactionText }
  | { readonly kind: 'work'; readonly how: 'awaited' | 'synchronous' }
  | { readonly kind: 'release'; readonly client: number; readonly how: ReleaseForm }
  | { readonly kind: 'lend'; readonly client: number; readonly how: LendForm }
  | { readonly kind: 'hand over'; readonly client: number; readonly how: HandOverForm }
  | { readonly kind: 'alias'; readonly client: number }
  | { readonly kind: 'clear'; readonly client: number }
  | { readonly kind: 'set flag'; readonly client: number; readonly value: boolean }
  | {
      readonly kind: 'acquire';
      readonly how: AcquireForm;
      readonly care: Care;
      readonly guard: Guard;
      readonly rest: readonly Piece[];
    }
  | { readonly kind: 'fill'; readonly client: number }
  | {
      readonly kind: 'if';
      readonly condition: Condition;
      readonly then: readonly Piece[];
      readonly otherwise: readonly Piece[];
    }
  | { readonly kind: 'switch'; readonly cases: readonly SwitchCase[] }
  | { readonly kind: 'loop'; readonly how: LoopForm; readonly body: readonly Piece[] }
  | {
      readonly kind: 'try';
      readonly body: readonly Piece[];
      readonly handler: readonly Piece[] | null;
      readonly rethrows: boolean;
      readonly finalizer: readonly Piece[] | null;
    }
  | {
      readonly kind: 'chain';
      readonly client: number;
      readonly stages: readonly Stage[];
      readonly isReturned: boolean;
    }
  | {
      readonly kind: 'query with callback';
      readonly client: number;
      readonly onError: readonly Piece[];
      readonly leavesOnError: boolean;
      readonly rest: readonly Piece[];
    }
  | {
      readonly kind: 'team';
      readonly client: number;
      readonly how: TeamForm;
      readonly calls: readonly TeamCall[];
      /** Called in a `finally` around the others. */
      readonly last: TeamCall | null;
    }
  | { readonly kind: 'second checkout'; readonly client: number; readonly how: SecondCheckoutForm }
  | { readonly kind: 'leave'; readonly how: LeaveForm };

export const queryForms = [
  'awaited',
  'assigned',
  'returned',
  'swallowed',
  'floating',
  'promise awaited later',
] as const;
export const transactionTexts = ['BEGIN', 'COMMIT', 'ROLLBACK'] as const;
export const releaseForms = [
  'plain',
  'optional',
  'if',
  'and',
  'flagged',
  'flagged late',
  'helper',
  'closure',
  'taken out',
  'with error',
  'ternary',
  'awaited helper',
  'helper that may throw first',
  'unless told',
  'event',
] as const;
export const lendForms = [
  'awaited helper',
  'helper that may throw',
  'synchronous helper',
  'awaited stranger',
  'in an object',
] as const;
export const handOverForms = [
  'returned',
  'returned in an object',
  'field',
  'registry',
  'outer variable',
] as const;
export const acquireForms = [
  'const',
  'let',
  'declared',
  'getter',
  'direct getter',
  'getter with safe set-up',
  'getter with unsafe set-up',
  'method',
  'ternary',
  'and',
  'given',
  'chain',
  'chain with set-up',
  'then-catch',
  'wrapper',
  'leaky wrapper',
  'promise first',
] as const;
/** What the code around the rest of an acquire does about the release. */
export const cares = [
  'none',
  'straight',
  'finally',
  'balanced',
  'flag',
  'late',
  'transaction',
] as const;
export const guards = ['plain', 'optional', 'if', 'and', 'compared'] as const;
export const loopForms = ['for of', 'while', 'do while', 'for', 'for ever', 'labelled'] as const;
export const leaveForms = [
  'return',
  'return value',
  'throw',
  'break',
  'continue',
  'labelled break',
  'labelled continue',
] as const;

export type QueryForm = (typeof queryForms)[number];
export type TransactionText = (typeof transactionTexts)[number];
export type ReleaseForm = (typeof releaseForms)[number];
export type LendForm = (typeof lendForms)[number];
export type HandOverForm = (typeof handOverForms)[number];
export type AcquireForm = (typeof acquireForms)[number];
export type Care = (typeof cares)[number];
export type Guard = (typeof guards)[number];
export type LoopForm = (typeof loopForms)[number];
export type LeaveForm = (typeof leaveForms)[number];

export interface SwitchCase {
  readonly body: readonly Piece[];
  readonly breaks: boolean;
  readonly isDefault: boolean;
}

/** One `.then`, `.catch` or `.finally` of a chain. Its pieces run without `await`. */
export interface Stage {
  readonly on: 'then' | 'catch' | 'finally' | 'both';
  readonly body: readonly Piece[];
  readonly rethrows: boolean;
}

export type Condition =
  /** A value that is the same whenever it is asked for in a run. */
  | { readonly kind: 'constant'; readonly name: 'p' | 'q' | 'options.strict' }
  /** Another answer each time. */
  | { readonly kind: 'fresh' }
  | { readonly kind: 'client'; readonly client: number; readonly how: 'truthy' | 'compared' }
  | { readonly kind: 'flag'; readonly client: number }
  | { readonly kind: 'not'; readonly operand: Condition }
  | { readonly kind: 'both' | 'either'; readonly left: Condition; readonly right: Condition };

/** A function made of pieces: asynchronous, a chain of promises, or with the driver's callbacks. */
export type Program =
  | { readonly style: 'async'; readonly pieces: readonly Piece[]; readonly team: Team }
  | { readonly style: 'chain'; readonly inner: readonly Stage[]; readonly outer: readonly Stage[] }
  | { readonly style: 'callback'; readonly pieces: readonly Piece[] };
