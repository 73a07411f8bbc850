import * as v from 'valibot';
import type { SecretStorage } from 'vscode';
import { Secret } from '../../database/secret.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import { consoleDatabase } from '../../pooler/to-pooler-report.ts';
import { number, soundEntriesOf, text } from '../../schema/fields.ts';
import type { OpenConnection } from '../activity/live-connection.ts';
import { connectionKey } from '../connections/saved-connections.ts';
import type { KeptState } from '../kept-state.ts';

const stateKey = 'poolguard.poolerRoles';

/** Who looks into which pooler's console, where it is another role than the connection's own; passwords in the secret storage only. */
export class PoolerRoles {
  readonly #state: KeptState;
  readonly #secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>;

  constructor(state: KeptState, secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>) {
    this.#state = state;
    this.#secrets = secrets;
  }

  /** The console of the pooler that the connection leads through, with who looks. */
  async choose({ target, secret }: OpenConnection): Promise<OpenConnection> {
    const user = this.userOf(target);
    const console = { ...target, database: consoleDatabase, user: user ?? target.user };
    if (user === undefined) return { target: console, secret };
    const password = await this.#secrets.get(connectionKey(console));
    return { target: console, secret: password === undefined ? null : new Secret(password) };
  }

  /** Undefined for the connection's own. */
  userOf(target: ConnectionTarget): string | undefined {
    return this.#all()[placeOf(target)];
  }

  /** Bound to host, port and role: the password is never sent elsewhere. */
  async use(target: ConnectionTarget, user: string, password: Secret | null): Promise<void> {
    await this.forget(target);
    if (password !== null)
      await this.#secrets.store(
        connectionKey({ ...target, database: consoleDatabase, user }),
        password.reveal(),
      );
    await this.#state.update(stateKey, { ...this.#all(), [placeOf(target)]: user });
  }

  /** Back to the connection's own role. */
  async forget(target: ConnectionTarget): Promise<void> {
    const user = this.userOf(target);
    if (user === undefined) return;
    await this.#secrets.delete(connectionKey({ ...target, database: consoleDatabase, user }));
    await this.#state.update(
      stateKey,
      Object.fromEntries(
        Object.entries(this.#all()).filter(([place]) => place !== placeOf(target)),
      ),
    );
  }

  /** Forgets the roles of places to which no saved connection leads any more. */
  async keepOnly(targets: readonly ConnectionTarget[]): Promise<void> {
    const kept = new Set(targets.map(placeOf));
    for (const [place, user] of Object.entries(this.#all())) {
      if (kept.has(place)) continue;
      const [host, port] = v.parse(Place, place);
      await this.forget({
        host,
        port,
        database: consoleDatabase,
        user,
        tls: 'off',
        tlsChosenBy: 'default',
        tlsFiles: { ca: null, cert: null, key: null },
      });
    }
  }

  /** What a broken state holds is no role. */
  #all(): Readonly<Record<string, string>> {
    const kept = v.parse(KeptRoles, this.#state.get(stateKey));
    return Object.fromEntries(Object.entries(kept).filter(([place]) => v.is(Place, place)));
  }
}

const KeptRoles = v.fallback(soundEntriesOf(text), {});

/** As `placeOf` writes it. */
const Place = v.pipe(text, v.parseJson(), v.strictTuple([text, number]));

function placeOf({ host, port }: Pick<ConnectionTarget, 'host' | 'port'>): string {
  return JSON.stringify([host, port]);
}
