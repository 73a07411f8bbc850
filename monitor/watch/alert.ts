/** Whether a figure is over its threshold, so that a figure at the threshold does not flap. */
export interface AlertState {
  readonly isOver: boolean;
  /** Since when the figure is on the other side, on the clock of `now`; null while it is not. */
  readonly turningSince: number | null;
}

export interface AlertRule {
  /** The figure has to be over for so long before it is told. */
  readonly raiseAfterMs: number;
  /** And well again for so long. */
  readonly clearAfterMs: number;
}

export const calm: AlertState = { isOver: false, turningSince: null };

/** `isBad` says that the figure is over its threshold, `isWell` that it is far enough below; between them nothing turns. */
export function judgeAlert(
  state: AlertState,
  { isBad, isWell }: { readonly isBad: boolean; readonly isWell: boolean },
  now: number,
  rule: AlertRule,
): AlertState {
  const isTurning = state.isOver ? isWell : isBad;
  if (!isTurning) return state.turningSince === null ? state : { ...state, turningSince: null };
  const since = state.turningSince ?? now;
  if (now - since < (state.isOver ? rule.clearAfterMs : rule.raiseAfterMs))
    return state.turningSince === null ? { ...state, turningSince: since } : state;
  return { isOver: !state.isOver, turningSince: null };
}
