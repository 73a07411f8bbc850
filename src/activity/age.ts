/** A length of time in at most two units, for example `12 ms`, `3.4 s`, `2 min 5 s`, `1 h 3 min`, `4 d 2 h`. */
export function describeAge(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 10_000) return `${(Math.floor(milliseconds / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return twoUnits(seconds, 60, 'min', 1, 's');
  if (seconds < 86_400) return twoUnits(seconds, 3_600, 'h', 60, 'min');
  return twoUnits(seconds, 86_400, 'd', 3_600, 'h');
}

function twoUnits(
  seconds: number,
  large: number,
  largeName: string,
  small: number,
  smallName: string,
): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}
