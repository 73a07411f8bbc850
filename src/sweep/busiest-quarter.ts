/** Mean of the largest quarter of the values, at least one: what holds while a load is at its height. Null for none. */
export function busiestQuarter(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const largest = [...values]
    .sort((one, other) => other - one)
    .slice(0, Math.max(1, Math.round(values.length / 4)));
  return largest.reduce((total, value) => total + value, 0) / largest.length;
}
