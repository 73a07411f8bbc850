import type { CapturedStack } from './stack.ts';

/** Where the application asked for what a library does later, or elsewhere. */
export interface Entrance {
  readonly from: CapturedStack | null;
  /** One statement, whose connection comes back by itself. */
  readonly isQuery: boolean;
}
