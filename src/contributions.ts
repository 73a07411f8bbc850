/** Every id that package.json also spells; a test compares the two. */

export const commands = {
  connect: 'poolguard.connect',
  reconnect: 'poolguard.reconnect',
  disconnect: 'poolguard.disconnect',
  forget: 'poolguard.forget',
  openSessions: 'poolguard.openSessions',
  pause: 'poolguard.pause',
  resume: 'poolguard.resume',
  probe: 'poolguard.probe',
  cancelProbe: 'poolguard.cancelProbe',
} as const;

/** Of the check of the whole workspace. */
export const checkCommands = { checkWorkspace: 'poolguard.checkWorkspace', clearWorkspaceCheck: 'poolguard.clearWorkspaceCheck' } as const;

export const views = {
  container: 'poolguard',
  pool: 'poolguard.pool',
  connections: 'poolguard.connections',
} as const;

export const panels = { sessions: 'poolguard.sessions' } as const;

export const contextKeys = {
  connected: 'poolguard.connected',
  paused: 'poolguard.paused',
  probing: 'poolguard.probing',
  workspaceChecked: 'poolguard.workspaceChecked',
} as const;

/** `contextValue` of a row in the connections tree. */
export const connectionRows = { open: 'poolguardOpenConnection', closed: 'poolguardClosedConnection' } as const;

export type CommandId = (typeof commands)[keyof typeof commands];
export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];
