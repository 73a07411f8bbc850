import type uPlot from 'uplot';

/** What every chart here has in common: it is a picture, and nothing in it answers to the mouse. In pixels. */
export function stillFrame(
  width: number,
  height: number,
): Pick<uPlot.Options, 'width' | 'height' | 'padding' | 'legend' | 'cursor' | 'select'> {
  return {
    width,
    height,
    padding: [14, 14, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
  };
}
