import fc from 'fast-check';

/** Text made of the pieces that a grammar is made of, mostly in a wrong order, with some noise. */
export function textOf(pieces: readonly string[], maxLength = 40): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  );
  return fc.array(piece, { maxLength }).map((all) => all.join(''));
}

/** How a text is changed: at a share of its length, so many characters go and others come. */
const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), gone: fc.nat(30) });

/** Texts of people with some places changed: something taken out, put in, or said twice. */
export function mutated(
  samples: readonly string[],
  put: readonly string[],
  mostChanges = 4,
): fc.Arbitrary<string> {
  const changes = fc.array(
    fc.tuple(change, fc.oneof(fc.constantFrom('', ...put), fc.constant(null))),
    { maxLength: mostChanges },
  );
  return fc.tuple(fc.constantFrom(...samples), changes).map(([sample, all]) =>
    all.reduce((text, [{ at, gone }, comes]) => {
      const start = Math.floor(at * text.length);
      const end = start + gone;
      return comes === null
        ? text.slice(0, end) + text.slice(start)
        : text.slice(0, start) + comes + text.slice(end);
    }, sample),
  );
}
