import type { SizeResult } from '../probe/result.ts';
import { CurveChart, defineCurveChart } from './curve-chart.ts';

/** The browser part of the HTML report: draws the probe's curve from the data that stands in the page. The table beside it works without. */
const data = document.getElementById('curve-data');
const place = document.getElementById('curve');
if (data !== null && place !== null) {
  defineCurveChart();
  const { sizes, knee, recommendation } = JSON.parse(data.textContent) as SizeResult;
  place.append(Object.assign(new CurveChart(), { sizes, marks: { knee, recommendation, good: null, limit: null }, height: 300 }));
}
