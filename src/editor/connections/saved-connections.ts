import type { Memento, SecretStorage } from 'vscode';
import { Secret } from '../../database/secret.ts';
import type { ConnectionTarget } from '../../database/target.ts';

const stateKey = 'poolguard.connections';

/** The connections a user made, newest first: targets in the editor's state, passwords in its secret storage only. */
export class SavedConnections {
  readonly #state: Pick<Memento, 'get' | 'update'>;
  readonly #secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>;

  constructor(state: Pick<Memento, 'get' | 'update'>, secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>) {
    this.#state = state;
    this.#secrets = secrets;
  }

  list(): readonly ConnectionTarget[] {
    return this.#state.get<readonly ConnectionTarget[]>(stateKey, []);
  }

  find(key: string): ConnectionTarget | undefined {
    return this.list().find((target) => connectionKey(target) === key);
  }

  async save(target: ConnectionTarget, secret: Secret | null): Promise<void> {
    if (secret === null) await this.#secrets.delete(connectionKey(target));
    else await this.#secrets.store(connectionKey(target), secret.reveal());
    await this.#state.update(stateKey, [target, ...this.#without(target)]);
  }

  async forget(target: ConnectionTarget): Promise<void> {
    await this.#secrets.delete(connectionKey(target));
    await this.#state.update(stateKey, this.#without(target));
  }

  async secretOf(target: ConnectionTarget): Promise<Secret | null> {
    const text = await this.#secrets.get(connectionKey(target));
    return text === undefined ? null : new Secret(text);
  }

  #without(target: ConnectionTarget): readonly ConnectionTarget[] {
    return this.list().filter((each) => connectionKey(each) !== connectionKey(target));
  }
}

/** A password is bound to host, port, database and user: one of them changed, and it is never sent there. */
export function connectionKey({ host, port, database, user }: ConnectionTarget): string {
  return `poolguard.password:${JSON.stringify([host, port, database, user])}`;
}
