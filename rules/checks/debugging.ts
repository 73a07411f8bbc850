/** `POOLGUARD_DEBUG`; a browser has no `process`. */
export function debugging(): string | undefined {
  return typeof process === 'undefined' ? undefined : process.env['POOLGUARD_DEBUG'];
}
