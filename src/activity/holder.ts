import { describeAge } from './age.ts';
import type { ServerFacts, Session } from './snapshot.ts';

/** The application under watch that has a session's client out of its pool. Texts are plain and short. */
export interface Holder {
  /** For example "leaky-api", or the script's name. */
  readonly app: string;
  /** Of its process. */
  readonly pid: number;
  readonly forMs: number;
  /** Where it acquired the client; null when it keeps no stacks. */
  readonly place: {
    /** For example "src/users.ts:14". */ readonly label: string;
    /** Under which the editor finds it. */ readonly key: string;
  } | null;
}

/** Who holds a session of a server, when that is sure. */
export type HolderOf = (session: Session, server: ServerFacts) => Holder | null;

/** "held for 42 s by leaky-api (pid 4711)" */
export function holderText({ app, pid, forMs }: Holder): string {
  return `held for ${describeAge(forMs)} by ${app} (pid ${pid})`;
}
