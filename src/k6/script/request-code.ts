/**
 * Options and the request itself. Redirects are answers of their own, since a user of a pool is one request; bodies are read and
 * thrown away. Error codes: grafana.com/docs/k6, javascript-api/error-codes; named as Node names them.
 */
export const requestCode = `
export const options = {
  scenarios: { [form]: scenario },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    'http_req_duration{expected_response:true}': ['p(99)<' + limitMs],
    ...(form === 'arrivals' && { dropped_iterations: ['count<10'] }),
  },
  ...(pool !== null && { tags: { pool } }),
  discardResponseBodies: true,
  summaryTrendStats: ['avg', 'min', 'med', 'max', 'p(95)', 'p(99)', 'count'],
};

const missing = required.filter((name) => !__ENV[name]);

export function setup() {
  if (missing.length > 0) exec.test.abort('This script holds no secrets. Set ' + missing.join(', ') + ' in the environment first.');
}

// A counter each, since a summary tells nothing of tags.
const statuses = [400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503, 504];
const broken = { 1050: 'timeout', 1101: 'ENOTFOUND', 1201: 'EPIPE', 1210: 'ECONNREFUSED', 1211: 'ETIMEDOUT', 1212: 'ECONNREFUSED', 1220: 'ECONNRESET' };
const counters = {};
for (const cause of [...statuses, ...Object.values(broken), 'closed', 'other']) counters[cause] = counters[cause] || new Counter('poolguard_' + cause);

function count({ status, error_code: code, error }) {
  const cause = status >= 400 ? status : broken[code] || (/EOF$/.test(error) && 'closed');
  (counters[cause] || counters.other).add(1);
}

const parameters = {
  headers: Object.fromEntries(headers),
  redirects: 0,
  timeout: '30s',
  tags: { name: 'request' },
};

const begun = new Counter('poolguard_begun');

export function ask() {
  begun.add(1);
  const answer = http.request(method, url, body, parameters);
  if (answer.error_code) count(answer);
}
`;
