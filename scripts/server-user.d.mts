export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface Permissions {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export const read: number;
export const enter: number;
/** The first of the preferred users in the text of /etc/passwd, if it is not another name of root. */
export function pickUser(passwd: string): ServerUser | undefined;
/** Whether those permissions give that user these rights. */
export function mayUse(permissions: Permissions, user: ServerUser, wanted: number): boolean;
