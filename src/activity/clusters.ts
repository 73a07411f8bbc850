const fewestInCluster = 2;
const gapPerStep = 20;

/**
 * Numbers that form clearly separate clusters, each of them in order: they lie `smallestGap` apart at least, and much further than their own
 * members. Empty where that is not clear.
 */
export function findClusters(
  numbers: readonly number[],
  smallestGap: number,
): readonly (readonly number[])[] {
  const clusters = cutAtGaps(
    [...numbers].sort((a, b) => a - b),
    smallestGap,
  );
  const widest = Math.max(1, ...clusters.flatMap(stepsOf));
  const gaps = clusters
    .slice(1)
    .map((cluster, index) => (cluster[0] ?? 0) - (clusters[index]?.at(-1) ?? 0));
  const isClear =
    clusters.length > 1 &&
    clusters.every(({ length }) => length >= fewestInCluster) &&
    gaps.every((gap) => gap >= gapPerStep * widest);
  return isClear ? clusters : [];
}

function cutAtGaps(sorted: readonly number[], smallestGap: number): number[][] {
  const clusters: number[][] = [];
  for (const number of sorted) {
    const last = clusters.at(-1);
    if (last !== undefined && number - (last.at(-1) ?? 0) < smallestGap) last.push(number);
    else clusters.push([number]);
  }
  return clusters;
}

function stepsOf(cluster: readonly number[]): readonly number[] {
  return cluster.slice(1).map((number, index) => number - (cluster[index] ?? 0));
}
