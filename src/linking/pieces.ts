/** Whether a text is the pieces in this order with anything in between. Takes time in proportion to the text for each piece. */
export function fits(pieces: readonly string[], text: string): boolean {
  const last = pieces.length - 1;
  const [first = ''] = pieces;
  if (last <= 0) return text === first;
  const end = pieces[last] ?? '';
  if (!text.startsWith(first) || !text.endsWith(end)) return false;
  // The leftmost place of each piece leaves the most room for those behind it.
  let at = first.length;
  for (const piece of pieces.slice(1, last)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - end.length >= at;
}

/** The same for normal forms, in which a hole that is filled with nothing leaves one blank and not two. */
export function fitsNormal(pieces: readonly string[], text: string): boolean {
  return (
    fits(pieces, text) ||
    (pieces.some((_, index) => index > 0 && canTouch(pieces, index)) && fitsTouching(pieces, text))
  );
}

function canTouch(pieces: readonly string[], index: number): boolean {
  return (pieces[index - 1] ?? '').endsWith(' ') && (pieces[index] ?? '').startsWith(' ');
}

function fitsTouching(pieces: readonly string[], text: string): boolean {
  let at = 0;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] ?? '';
    const earliest = index > 0 && canTouch(pieces, index) && text[at - 1] === ' ' ? at - 1 : at;
    if (index === pieces.length - 1 && index > 0)
      return text.endsWith(piece) && text.length - piece.length >= earliest;
    const found = index === 0 ? (text.startsWith(piece) ? 0 : -1) : text.indexOf(piece, earliest);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at === text.length;
}

/** The parts of the pieces that stand in a text which was cut off, up to the one that the cut runs through; undefined when the text begins with something else. */
export function beginningOf(pieces: readonly string[], cut: string): readonly string[] | undefined {
  const [first = '', ...rest] = pieces;
  if (!cut.startsWith(first)) return first.startsWith(cut) ? [cut] : undefined;
  const seen = [first];
  let at = first.length;
  for (const piece of rest) {
    const found = piece === '' ? -1 : cut.indexOf(piece, at);
    if (found < 0) return [...seen, endIn(piece, cut.slice(at))];
    at = found + piece.length;
    seen.push(piece);
  }
  // After the last piece of a statement nothing may follow.
  return at === cut.length ? seen : undefined;
}

/** By so much of its beginning a piece is told. */
const probe = 24;

/** The beginning of a piece that a text ends with; empty when the cut runs through what fills the hole. */
function endIn(piece: string, text: string): string {
  for (
    let at = text.indexOf(piece.slice(0, probe));
    at >= 0;
    at = text.indexOf(piece.slice(0, probe), at + probe)
  ) {
    if (piece.startsWith(text.slice(at))) return text.slice(at);
  }
  return '';
}
