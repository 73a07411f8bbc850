import type { SecretStorage } from 'vscode';
import { Secret } from '../../database/secret.ts';
import type { ConnectionTarget } from '../../database/target.ts';
import { readSavedState, type SavedConnection } from './saved-state.ts';
import type { KeptState } from '../kept-state.ts';

const stateKey = 'poolguard.connections';

/** The connections a user made, newest first: names and targets in the editor's state, passwords in its secret storage only. */
export class SavedConnections {
  readonly #state: KeptState;
  readonly #secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>;

  constructor(state: KeptState, secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>) {
    this.#state = state;
    this.#secrets = secrets;
  }

  list(): readonly SavedConnection[] {
    return readSavedState(this.#state.get(stateKey));
  }

  find(key: string): SavedConnection | undefined {
    return this.list().find(({ target }) => connectionKey(target) === key);
  }

  /** At the front; another one to the same place gives way. */
  async save(connection: SavedConnection, secret: Secret | null): Promise<void> {
    await this.#keepSecret(connection.target, secret);
    await this.#state.update(stateKey, [connection, ...this.#without(connection.target)]);
  }

  /** In the place of `old`. Its password goes unless the new one is for the same host, port, database and user. */
  async replace(
    old: SavedConnection,
    connection: SavedConnection,
    secret: Secret | null,
  ): Promise<void> {
    const [oldKey, key] = [connectionKey(old.target), connectionKey(connection.target)];
    if (oldKey !== key) await this.#secrets.delete(oldKey);
    await this.#keepSecret(connection.target, secret);
    const others = this.list().filter(
      ({ target }) => connectionKey(target) !== key || key === oldKey,
    );
    await this.#state.update(
      stateKey,
      others.map((each) => (connectionKey(each.target) === oldKey ? connection : each)),
    );
  }

  async forget(target: ConnectionTarget): Promise<void> {
    await this.#secrets.delete(connectionKey(target));
    await this.#state.update(stateKey, this.#without(target));
  }

  async secretOf(target: ConnectionTarget): Promise<Secret | null> {
    const text = await this.#secrets.get(connectionKey(target));
    return text === undefined ? null : new Secret(text);
  }

  async #keepSecret(target: ConnectionTarget, secret: Secret | null): Promise<void> {
    if (secret === null) await this.#secrets.delete(connectionKey(target));
    else await this.#secrets.store(connectionKey(target), secret.reveal());
  }

  #without(target: ConnectionTarget): readonly SavedConnection[] {
    return this.list().filter((each) => connectionKey(each.target) !== connectionKey(target));
  }
}

/** A password is bound to host, port, database and user: one of them changed, and it is never sent there. */
export function connectionKey({ host, port, database, user }: ConnectionTarget): string {
  return `poolguard.password:${JSON.stringify([host, port, database, user])}`;
}
