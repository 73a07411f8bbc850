import type { OpenedClient } from '../../database/open-client.ts';
import { errorCause, type ConnectionSource } from '../load/connection-source.ts';

/** Runs one drawn statement on a client. */
export type Send = (opened: OpenedClient) => Promise<void>;

export interface NewConnections extends ConnectionSource {
  /** Drops those that are open. */
  close(): void;
}

/**
 * A new connection for each loan, never more than `most` at once: a caller beyond that stands in line until one is closed.
 * The wait of a loan is its place in line and its connecting.
 */
export function openNewConnections(
  dial: () => Promise<OpenedClient>,
  send: Send,
  most: number,
): NewConnections {
  const line: (() => void)[] = [];
  const open = new Set<OpenedClient>();
  let taken = 0;
  let isClosed = false;
  const free = () => {
    const next = line.shift();
    if (next === undefined) taken -= 1;
    else next();
  };
  const connect = async () => {
    try {
      const opened = await dial();
      if (isClosed) opened.drop();
      else open.add(opened);
      return opened;
    } catch (error) {
      free();
      throw error;
    }
  };
  return {
    showsWait: true,
    look: () => ({ total: taken, idle: 0, waiting: line.length }),
    acquire: async () => {
      if (taken < most) taken += 1;
      else await new Promise<void>((resolve) => line.push(resolve));
      const opened = await connect();
      return {
        run: () => send(opened),
        giveBack: async () => {
          await opened.close();
          open.delete(opened);
          free();
        },
      };
    },
    close: () => {
      isClosed = true;
      for (const opened of open) opened.drop();
    },
  };
}

/** One client for everybody. Who waits does so in the driver's queue, or in the server's when statements are sent ahead. */
export function shareOneClient(opened: OpenedClient, send: Send): ConnectionSource {
  let asked = 0;
  let isBroken = false;
  return {
    showsWait: false,
    look: () => ({ total: 1, idle: asked === 0 ? 1 : 0, waiting: Math.max(0, asked - 1) }),
    acquire: async () => {
      if (isBroken) throw new Error('Connection terminated');
      asked += 1;
      return Promise.resolve({
        run: () => send(opened),
        giveBack: (error) => {
          asked -= 1;
          isBroken ||= error !== undefined && errorCause(error) === 'connection-lost';
        },
      });
    },
  };
}
