/** Flags of Node that the server's process is started with. */
export const serverFlags: readonly string[] = [];
