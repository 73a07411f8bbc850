import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Of a TCP connection of this process, as it sees them. */
export interface Ports {
  readonly local: number;
  readonly remote: number;
}

/** The process on this machine at the other end of a connection; null where it cannot be seen: on another machine, of another user, not on Linux. */
export function peerOf({ local, remote }: Ports): number | null {
  const inode = ['net/tcp', 'net/tcp6']
    .map((table) => inodeIn(read(table), remote, local))
    .find((each) => each !== undefined);
  return inode === undefined
    ? null
    : (list('')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .find((pid) => holds(pid, `socket:[${inode}]`)) ?? null);
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

function holds(pid: number, target: string): boolean {
  return list(`${pid}/fd`).some((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === target;
    } catch {
      return false;
    }
  });
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(`/proc/${path}`);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return '';
  }
}
