import { html } from 'htm/preact';
import type { JSX } from 'preact';
import { number, toUtcText } from '../../../../common/look/amounts.ts';
import { quoted } from '../../pages/browser/parts.ts';
import type { WebhookDelivery, WebhooksView } from '../../webhooks/webhook-handlers.ts';
import { button, namedCard, panelList, panelSection } from './panel.ts';
import type { PanelState } from './state.ts';

/** The webhooks that the sandbox sent: their tries and answers; sends one again. */
export function webhooksPanel(state: PanelState): JSX.Element {
  const value = state.read<WebhooksView>('webhooks');
  return html`
    ${value && endpoints(value)}
    ${panelSection(
      state,
      { id: 'delivery-list', title: 'Deliveries' },
      html`${panelList(state, {
        about: 'deliveries',
        label: 'Deliveries, newest first',
        none: 'No webhook was sent since the last reset.',
        items: value?.deliveries.toReversed(),
        toCard: deliveryCard,
      })}`,
    )}
  `;
}

/** Shows the endpoints of webhooks, and a button that makes the next attempt fail. */
function endpoints({ endpoints: all, webhooks, failNext }: WebhooksView): JSX.Element {
  const rows = all.map(({ url, events, isGone }) => {
    const what = events === undefined ? 'all events' : events.join(', ');
    return html`<li key=${url}>${quoted(url)} <span class="sub">${quoted(what)}${isGone && ', disabled: it answered 410'}</span></li>`;
  });
  const none =
    webhooks.length === 0
      ? 'The document describes no webhooks.'
      : 'Webhooks are sent nowhere. Start the mock with --webhook-url URL.';
  return html`
    <section class="card stack tight" aria-labelledby="webhook-endpoints">
      <h3 id="webhook-endpoints">Endpoints</h3>
      ${rows.length === 0 ? html`<p class="sub">${none}</p>` : html`<ul>${rows}</ul>`}
      ${button({
        label: 'Fail the next try',
        operation: { method: 'POST', path: 'webhooks/fail', body: { count: failNext + 1 } },
      })}
      ${failNext > 0 && html`<p class="sub">Next tries that fail: ${number(failNext)}</p>`}
    </section>
  `;
}

function deliveryCard(delivery: WebhookDelivery): JSX.Element {
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
        button({
          label: 'Send again',
          about: id,
          operation: { method: 'POST', path: `webhooks/${encodeURIComponent(id)}/resend` },
          done: `${event} is sent again.`,
        }),
    ],
  );
}
