import { isIdleInTransaction } from '../../activity/group-by-pool.ts';
import type { ActivityReport, Headroom, Session } from '../../activity/snapshot.ts';
import { formatDuration, plural } from './figures.ts';
import { html, type Markup } from './markup.ts';

const mostRows = 40;
const longestQuery = 120;

export function renderSessions(
  { sessions, server, headroom }: ActivityReport,
  application: string | null,
): Markup {
  const shown = sessions.filter(
    (session) => !session.isOwn && (application === null || session.application === application),
  );
  const rows = [...shown].sort(
    (a, b) =>
      Number(isIdleInTransaction(b)) - Number(isIdleInTransaction(a)) ||
      (b.stateAgeMs ?? -1) - (a.stateAgeMs ?? -1),
  );
  const left = rows.length - mostRows;
  return html`<p>PostgreSQL ${server.version}, database <code>${server.database}</code>: ${plural(shown.length, 'session')}${application === null ? null : html` of <code>${application}</code>`}.</p>
    ${renderHeadroom(headroom)}
    <div class="scroll"><table>
      <thead><tr><th>process</th><th>state</th><th class="figure">in transaction for</th><th class="figure">in this state for</th><th>waits for</th><th>last statement</th></tr></thead>
      <tbody>${rows.slice(0, mostRows).map(renderSession)}</tbody>
    </table></div>
    ${left > 0 ? html`<p class="quiet">${plural(left, 'further session')} not shown.</p>` : null}`;
}

function renderSession(session: Session): Markup {
  const wait = session.isWaiting
    ? [session.waitEventType, session.waitEvent].filter((part) => part !== null).join(': ')
    : '';
  const blockers = session.blockedBy.length > 0 ? ` (behind ${session.blockedBy.join(', ')})` : '';
  return html`<tr class="${isIdleInTransaction(session) ? 'held' : ''}">
    <td class="figure">${session.pid}</td><td>${session.state}</td>
    <td class="figure">${formatDuration(session.transactionAgeMs)}</td><td class="figure">${formatDuration(session.stateAgeMs)}</td>
    <td>${wait + blockers}</td><td><code class="query">${oneLine(session.query)}</code></td></tr>`;
}

function oneLine(query: string): string {
  const line = query.replace(/\s+/gu, ' ').trim();
  return line.length > longestQuery ? `${line.slice(0, longestQuery)}…` : line;
}

/** A bar in SVG, because widths in style attributes would need a looser content security policy. */
function renderHeadroom({ usable, used, free, split, maxConnections }: Headroom): Markup {
  const parts = [
    { name: 'active', count: split.active },
    { name: 'idle in transaction', count: split.idleInTransaction + split.aborted },
    { name: 'idle', count: split.idle },
    { name: 'other', count: split.hidden + split.other + split.own },
  ];
  const starts = parts.map((_, index) =>
    parts.slice(0, index).reduce((sum, { count }) => sum + count, 0),
  );
  return html`<figure class="headroom">
    <svg viewBox="0 0 ${Math.max(usable, used, 1)} 4" preserveAspectRatio="none" role="img" aria-label="${used} of ${usable} connections used">
      <rect class="room" width="100%" height="4"/>
      ${parts.map(({ name, count }, index) => html`<rect class="${name.replaceAll(' ', '-')}" x="${starts[index] ?? 0}" width="${count}" height="4"/>`)}
    </svg>
    <figcaption>${used} of ${usable} connections used, ${free} free (max_connections ${maxConnections}):
      ${parts.filter(({ count }) => count > 0).map(({ name, count }) => html`<span class="key ${name.replaceAll(' ', '-')}">${count} ${name}</span> `)}</figcaption>
  </figure>`;
}
