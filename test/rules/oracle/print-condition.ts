import type { Condition } from './pieces.ts';
import { presence } from './print-acquire.ts';
import { holderFor, type Scope } from './scope.ts';

export function printCondition(condition: Condition, scope: Scope): string {
  switch (condition.kind) {
    case 'constant':
      return condition.name;
    case 'fresh':
      return 'check()';
    case 'client': {
      const holder = holderFor(scope, condition.client);
      // What is true of one client is not followed for another.
      const isAlone = scope.holders.every(({ site }) => site === holder?.site);
      if (holder === undefined || !isAlone) return 'check()';
      return condition.how === 'truthy' ? holder.name : presence(holder.name, holder.empty);
    }
    case 'flag':
      return holderFor(scope, condition.client, ({ flag }) => flag !== null)?.flag ?? 'check()';
    case 'not':
      return `!(${printCondition(condition.operand, scope)})`;
    case 'both':
      return `(${printCondition(condition.left, scope)} && ${printCondition(condition.right, scope)})`;
    case 'either':
      return `(${printCondition(condition.left, scope)} || ${printCondition(condition.right, scope)})`;
  }
}
