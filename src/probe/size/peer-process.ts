import { linkInProc, listProc, listProcesses, readProc } from '../../machine/proc.ts';

/** Of a TCP connection of this process, as it sees them. */
export interface Ports {
  readonly local: number;
  readonly remote: number;
}

/** The process on this machine at the other end of a connection; null where it cannot be seen: on another machine, of another user, not on Linux. */
export function peerOf({ local, remote }: Ports): number | null {
  const inode = ['net/tcp', 'net/tcp6']
    .map((table) => inodeIn(readProc(table), remote, local))
    .find((each) => each !== undefined);
  const holds = (pid: number) =>
    listProc(`${pid}/fd`).some((fd) => linkInProc(`${pid}/fd/${fd}`) === `socket:[${inode}]`);
  return inode === undefined ? null : (listProcesses().find(holds) ?? null);
}

/** Of a row as `0: 0100007F:1538 0100007F:C1A2 01 … uid timeout inode` (proc_net(5)). */
function inodeIn(table: string, local: number, remote: number): string | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const row = table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(
      ([, one, other]) => one?.endsWith(`:${hex(local)}`) && other?.endsWith(`:${hex(remote)}`),
    );
  return row?.[9];
}
