/** After so many milliseconds a wait has hung. Nothing is measured by it: a machine with other work takes five times as long as one without. */
export const patience = 180_000;

/** After so many milliseconds a key or a click is tried again where nothing came of it: a window that is busy swallows some. */
export const aMoment = 2000;
