import { schemaVersion } from '../../probe/result-head.ts';

/** Writes what `k6-result.ts` describes. */
export const summaryCode = `
export function handleSummary(data) {
  if (missing.length > 0) return {};
  const summary = summarise(data);
  const file = __ENV.SUMMARY || 'k6-summary.json';
  if (file === 'stdout') return { stdout: toJson(summary) + '\\n' };
  return { [file]: toJson(summary, 2) + '\\n', stdout: inOneLine(summary) + '\\nWritten to ' + file + '. In full: poolguard report ' + file + '\\n' };
}

// In ASCII, whatever a URL or a variable holds.
function toJson(value, indent) {
  return JSON.stringify(value, null, indent).replace(/[^\\n\\x20-\\x7E]/g, (unit) => '\\\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

function summarise({ metrics, state }) {
  const valuesOf = (name) => (metrics[name] ? metrics[name].values : {});
  const seconds = state.testRunDurationMs / 1000;
  const latency = latencyOf(valuesOf('http_req_duration{expected_response:true}'));
  const requests = latency === null ? 0 : latency.count;
  return {
    schemaVersion: ${schemaVersion},
    experiment: 'k6',
    from: origin,
    startedAt: new Date(Date.now() - state.testRunDurationMs).toISOString(),
    elapsedMs: state.testRunDurationMs,
    url: url.replace(/^([a-z]+:\\/\\/)[^/?#]*@/i, '$1').replace(/[?#].*$/, ''),
    method,
    pool: Number(pool) > 0 ? Number(pool) : null,
    pools,
    segment: exec.test.options.executionSegment || null,
    load: { form, stages: stages.map((stage) => ({ seconds: stage.seconds, target: targetOf(stage) })), thinkMs: form === 'users' ? thinkMs : null, maxVUs: scenario.maxVUs || null },
    requests,
    throughput: seconds > 0 ? requests / seconds : 0,
    latency,
    errors: errorsOf(valuesOf, requests),
    dropped: valuesOf('dropped_iterations').count || 0,
    allocatedVUs: valuesOf('vus_max').max || 0,
    thresholds: Object.entries(metrics).flatMap(([metric, { thresholds = {} }]) => Object.entries(thresholds).map(([condition, { ok }]) => ({ metric, condition, passed: ok }))),
  };
}

// Percentiles of few requests mean nothing: the 95th takes 200 requests, the 99th 1,000.
function latencyOf(values) {
  if (!values.count) return null;
  return { count: values.count, averageMs: values.avg, p50Ms: values.med, p95Ms: values.count < 200 ? null : values['p(95)'], p99Ms: values.count < 1000 ? null : values['p(99)'], maxMs: values.max };
}

// k6 does not count requests in flight when the run ends; without this, a service that never responds would look healthy.
function errorsOf(valuesOf, requests) {
  const counted = Object.keys(counters).map((cause) => [cause, valuesOf('poolguard_' + cause).count || 0]);
  const answered = counted.reduce((sum, [, times]) => sum + times, requests);
  const all = [...counted, ['unanswered', (valuesOf('poolguard_begun').count || 0) - answered]];
  return Object.fromEntries(all.filter(([, times]) => times > 0));
}

function inOneLine({ requests, throughput, latency, errors, dropped }) {
  const failed = Object.values(errors).reduce((sum, times) => sum + times, 0);
  const times = latency === null ? 'none answered' : 'average ' + Math.round(latency.averageMs) + ' ms' + (latency.p95Ms === null ? '' : ', p95 ' + Math.round(latency.p95Ms) + ' ms');
  return requests + ' requests answered (' + Math.round(throughput) + '/s), ' + times + ', ' + failed + ' failed, ' + dropped + ' dropped';
}
`;
