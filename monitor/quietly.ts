/** What fails in a reporter is never the application's trouble: at worst a report is lost. */
export function quietly<Arguments extends readonly unknown[]>(
  work: (...given: Arguments) => void,
): (...given: Arguments) => void {
  return (...given) => {
    try {
      work(...given);
    } catch {
      // Who could learn of it is who cannot be reached.
    }
  };
}
