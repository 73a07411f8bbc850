// What of the lock file npm installs on a machine, and whether it is there.

/** @type {typeof import('./locked-packages.mjs').packagesFor} */
export function packagesFor({ packages }, { omitsDev, platform, arch, libc }) {
  const fitting = Object.entries(packages).flatMap(([place, entry]) =>
    place.includes('node_modules/') &&
    !entry.link &&
    !(omitsDev && entry.dev) &&
    accepts(entry.os, platform) &&
    accepts(entry.cpu, arch) &&
    accepts(entry.libc, libc)
      ? [{ ...entry, place }]
      : [],
  );
  return withoutOrphans(fitting);
}

/** What is optional goes with the package that asks for it. */
function withoutOrphans(wanted) {
  const names = new Set(
    wanted.flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    ),
  );
  const kept = wanted.filter((each) => each.optional !== true || names.has(nameOf(each)));
  return kept.length === wanted.length ? kept : withoutOrphans(kept);
}

/** As npm reads `os`, `cpu` and `libc`: names, or names that are left out. */
function accepts(names, name) {
  if (names === undefined) return true;
  return names.some((each) => each.startsWith('!'))
    ? !names.includes(`!${name}`)
    : names.includes(name);
}

/** @type {typeof import('./locked-packages.mjs').areInstalled} */
export function areInstalled(wanted, { packages }) {
  return wanted.every(
    ({ place, version, integrity, optional }) =>
      optional === true ||
      (packages[place]?.version === version && packages[place].integrity === integrity),
  );
}

/** @type {typeof import('./locked-packages.mjs').createProgress} */
export function createProgress(wanted, isThere) {
  let missing = wanted;
  let newest = '';
  return () => {
    const before = missing;
    missing = before.filter(({ place }) => !isThere(place));
    newest = before.findLast((each) => !missing.includes(each))?.place ?? newest;
    if (missing.length === 0) return 'all there, their install scripts run';
    const count = `${wanted.length - missing.length} of ${wanted.length}`;
    if (missing.length <= fewMissing) return `${count}, still ${missing.map(nameOf).join(', ')}`;
    return newest === '' ? count : `${count}, last ${nameOf({ place: newest })}`;
  };
}

/** As many as a line has room for. */
const fewMissing = 3;

function nameOf({ place }) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
