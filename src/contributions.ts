/** Every id that package.json also spells; a test compares the two. */

/** Of saved connections; a row of their tree is the argument. */
export const connectionCommands = {
  connect: 'poolguard.connect',
  reconnect: 'poolguard.reconnect',
  disconnect: 'poolguard.disconnect',
  edit: 'poolguard.editConnection',
  test: 'poolguard.testConnection',
  forget: 'poolguard.forget',
} as const;

/** Of the look at the server's sessions. */
export const activityCommands = {
  openSessions: 'poolguard.openSessions',
  exportSessions: 'poolguard.exportSessions',
  pause: 'poolguard.pause',
  resume: 'poolguard.resume',
} as const;

/** Of one session; its `sessionKey` is the argument, and without one the user picks. */
export const sessionCommands = {
  cancelStatement: 'poolguard.cancelStatement',
  terminateSession: 'poolguard.terminateSession',
} as const;

/** Of the pooler between application and server. */
export const poolerCommands = {
  openPooler: 'poolguard.openPooler',
  usePoolerRole: 'poolguard.usePoolerRole',
} as const;

/** Of the probe; the place of a statement is the argument of `probeQuery`, and without one the line of the cursor counts. */
export const probeCommands = {
  probe: 'poolguard.probe',
  probeAgain: 'poolguard.probeAgain',
  probeQuery: 'poolguard.probeQuery',
  cancelProbe: 'poolguard.cancelProbe',
  concludeProbe: 'poolguard.concludeProbe',
  askBeforeProbes: 'poolguard.askBeforeProbes',
} as const;

/** Of applications that run under watch. */
export const runningCommands = {
  run: 'poolguard.runWithPoolWatch',
  watchTerminals: 'poolguard.watchTerminals',
  stopWatchingTerminals: 'poolguard.stopWatchingTerminals',
} as const;

/** Of lenses and code actions on pools. */
export const lensCommands = {
  writePoolOptions: 'poolguard.writePoolOptions',
  useRecommendedMax: 'poolguard.useRecommendedMax',
  useMeasuredOptions: 'poolguard.useMeasuredOptions',
  explainPool: 'poolguard.explainPool',
} as const;

/** Of what is found in code. Paths are shown from code actions only, so the palette does not list that command. */
export const findingCommands = {
  fixAll: 'poolguard.fixAll',
  showPath: 'poolguard.showPath',
  restartServer: 'poolguard.restartServer',
} as const;

/** Of the check of the whole workspace. */
export const checkCommands = {
  checkWorkspace: 'poolguard.checkWorkspace',
  clearWorkspaceCheck: 'poolguard.clearWorkspaceCheck',
} as const;

/** Of the first steps, and of what leads on from them. */
export const firstUseCommands = {
  openWalkthrough: 'poolguard.openWalkthrough',
  openSample: 'poolguard.openSample',
  fixSample: 'poolguard.fixSample',
  setUpEslint: 'poolguard.setUpEslint',
  showLog: 'poolguard.showLog',
} as const;

/** Of every group, for the comparison with package.json. */
export const allCommands: readonly string[] = [
  connectionCommands,
  activityCommands,
  sessionCommands,
  poolerCommands,
  probeCommands,
  runningCommands,
  lensCommands,
  findingCommands,
  checkCommands,
  firstUseCommands,
].flatMap((group) => Object.values(group));

/** With the extension's own id before it, as the editor names it. */
export const walkthrough = 'poolguard.poolguard#start';

/** Language-model tools. */
export const tools = {
  findings: 'poolguard_get_pool_findings',
  snapshot: 'poolguard_get_session_snapshot',
  probe: 'poolguard_run_pool_probe',
} as const;

export const views = {
  container: 'poolguard',
  connections: 'poolguard.connections',
  pools: 'poolguard.pools',
  blocking: 'poolguard.blocking',
  running: 'poolguard.running',
  size: 'poolguard.poolSize',
} as const;

/** Theme colours of the bar beside lines on which a client is held, and on which one is lost. */
export const colors = { heldBar: 'poolguard.heldBar', lostBar: 'poolguard.lostBar' } as const;

export const panels = { sessions: 'poolguard.sessions', pooler: 'poolguard.pooler' } as const;

export const contextKeys = {
  connected: 'poolguard.connected',
  paused: 'poolguard.paused',
  probing: 'poolguard.probing',
  watchingTerminals: 'poolguard.watchingTerminals',
  sampleFixed: 'poolguard.sampleFixed',
  workspaceChecked: 'poolguard.workspaceChecked',
} as const;

/** `contextValue` of a row in the connections tree. */
export const connectionRows = {
  open: 'poolguardOpenConnection',
  closed: 'poolguardClosedConnection',
} as const;
