import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { quoted } from '../../pages/browser/parts.ts';
import { number, toUtcText } from '../../pages/browser/words.ts';
import type { WebhookDelivery, WebhooksView } from '../../webhooks/webhook-handlers.ts';
import { ActionButton } from './action-button.ts';
import { namedCard, panelList, panelSection, problemLine, usePages } from './panel.ts';
import { useAdmin } from './use-admin.ts';

/** The webhooks that the sandbox sent: their tries and answers; sends one again. */
export function WebhooksPanel(): JSX.Element {
  const { value, problem } = useAdmin<WebhooksView>('webhooks', { every: 1000 });
  const [said, say] = useState('');
  const deliveries = value?.deliveries.toReversed();
  const { shown, pager } = usePages(deliveries ?? [], { about: 'deliveries' });
  const cards = shown.map((delivery) => deliveryCard(delivery, say));
  const none = 'No webhook was sent since the last reset.';
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${value && endpoints(value)}
      ${panelSection(
        { id: 'delivery-list', title: 'Deliveries', said },
        html`${panelList(deliveries && cards, { label: 'Deliveries, newest first', none })}${pager}`,
      )}
    </div>
  `;
}

/** Shows the endpoints of webhooks, and a button that makes the next attempt fail. */
function endpoints({ endpoints: all, webhooks, failNext }: WebhooksView): JSX.Element {
  const rows = all.map(({ url, events, isGone }) => {
    const what = events === undefined ? 'all events' : events.join(', ');
    return html`<li key=${url}>${quoted(url)} <span class="sub">${quoted(what)}${isGone && ', gone: it answered 410'}</span></li>`;
  });
  const none =
    webhooks.length === 0
      ? 'The document describes no webhooks.'
      : 'Webhooks are sent nowhere. Start the mock with --webhook-url URL.';
  return html`
    <section class="card stack tight" aria-labelledby="webhook-endpoints">
      <h3 id="webhook-endpoints">Endpoints</h3>
      ${rows.length === 0 ? html`<p class="sub">${none}</p>` : html`<ul>${rows}</ul>`}
      ${h(ActionButton, {
        label: 'Let the next try fail',
        operation: { method: 'POST', path: 'webhooks/fail', body: { count: failNext + 1 } },
      })}
      ${failNext > 0 && html`<p class="sub">Tries that are to fail: ${number(failNext)}</p>`}
    </section>
  `;
}

function deliveryCard(delivery: WebhookDelivery, say: (text: string) => void): JSX.Element {
  const { id, event, state, method, url, tries, nextTry } = delivery;
  const last = tries.at(-1);
  const outcome = [last?.problem ?? last?.status, last?.answer].filter((one) => one !== undefined);
  const next = nextTry === undefined ? '' : `, again at ${toUtcText(nextTry)}`;
  return namedCard(
    {
      ...{ name: event, id },
      note: `${state}${next}`,
      holds: url === undefined ? 'There was no endpoint' : `${method} ${url}`,
      more: last
        ? html`${id}. Tries: ${number(tries.length)}, the last one at ${toUtcText(last.at)}: ${quoted(outcome.join(', '))}`
        : `${id}. No try so far`,
    },
    [
      url !== undefined &&
        h(ActionButton, {
          label: 'Send again',
          about: id,
          operation: { method: 'POST', path: `webhooks/${encodeURIComponent(id)}/resend` },
          onDone: () => say(`${event} is sent again.`),
        }),
    ],
  );
}
