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

export const views = {
  container: 'poolguard',
  pool: 'poolguard.pool',
  connections: 'poolguard.connections',
} as const;

/** Of the editor's findings. */
export const findingCommands = { fixAll: 'poolguard.fixAll' } as const;

/** Theme colours of the bar beside lines on which a client is held, and on which one is lost. */
export const colors = { heldBar: 'poolguard.heldBar', lostBar: 'poolguard.lostBar' } as const;

export const panels = { sessions: 'poolguard.sessions' } as const;

export const contextKeys = {
  connected: 'poolguard.connected',
  paused: 'poolguard.paused',
  probing: 'poolguard.probing',
} as const;

/** `contextValue` of a row in the connections tree. */
export const connectionRows = { open: 'poolguardOpenConnection', closed: 'poolguardClosedConnection' } as const;

export type CommandId = (typeof commands)[keyof typeof commands];
export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];
