import { parseTarget } from '../../src/database/target.ts';
import type { Access } from '../../src/probe/request.ts';

/** Target and password of a connection string. Throws the sentence for one that cannot be read. */
export function accessTo(url: string): Access {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return { target: parsed.target, secret: parsed.secret };
}
