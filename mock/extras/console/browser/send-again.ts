import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Entry } from '../../../journal/entry.ts';
import { TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import {
  createMark,
  findEntry,
  markHeader,
  type Outcome,
  sendCall,
  toTwinUrls,
} from '../../pages/browser/send-call.ts';
import { readDemoKeys } from './page.ts';
import { needsKey, type Resend, toResend } from './resend.ts';
import { useAdminClient } from './use-admin.ts';

type SendProps = { entry: Entry; onOpen: (id: number) => void };

/** A button that really sends a request again, or why a browser cannot. */
export function SendAgain({ entry, onOpen }: SendProps): JSX.Element {
  const admin = useAdminClient();
  const [key, setKey] = useState(() => readDemoKeys()[entry.key ?? ''] ?? '');
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [next, setNext] = useState<number>();
  const resend = toResend(entry, key, document.baseURI);

  if ('problem' in resend)
    return html`
      <p class="quiet">
        ${quoted(`It cannot be sent again from here: ${resend.problem}`)}
        ${entry.method !== null && ' Copy it as curl instead.'}
      </p>
    `;
  const send = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setNext(undefined);
    const mark = createMark();
    const outcome = await sendCall(resend.url.href, toInit(resend, mark));
    setSaid(describeOutcome(outcome, resend));
    const urls = toTwinUrls(new URL('..', document.baseURI));
    const status = 'status' in outcome ? { status: outcome.status } : {};
    const found = await findEntry(mark, { admin, urls, ...status });
    const sent = 'entry' in found ? found.entry : undefined;
    setSaid(describeOutcome(outcome, resend, sent));
    // A sandbox that was deleted meanwhile leaves the request to the default one.
    setNext(sent?.sandbox === entry.sandbox ? sent.id : undefined);
    setBusy(false);
  };
  return html`
    <form class="send-again" onSubmit=${send}>
      ${
        needsKey(entry) &&
        h(TextField, {
          label: 'API key',
          hint: 'The journal does not record keys.',
          isRequired: true,
          value: key,
          onValue: setKey,
        })
      }
      <button type="submit" aria-busy=${isBusy}>Send again</button>
      <p role="status" class="outcome">${said !== '' && quoted(said)}</p>
      ${
        next !== undefined &&
        html`<button type="button" onClick=${() => onOpen(next)}>Open request ${next}</button>`
      }
    </form>
  `;
}

function toInit({ method, headers, body }: Resend, mark: string): RequestInit {
  const isOther = ([name]: readonly [string, string]) =>
    name.toLowerCase() !== markHeader.toLowerCase();
  return {
    method,
    headers: [
      ...headers.filter(isOther).map(([name, value]): [string, string] => [name, value]),
      [markHeader, mark],
    ],
    ...(body !== undefined && { body }),
  };
}

/** What came back; the journal has the statuses that a browser does not show. */
function describeOutcome(outcome: Outcome, { notes }: Resend, sent?: Entry): string {
  if ('status' in outcome)
    return [`Sent again, the response was ${outcome.status}.`, ...notes].join(' ');
  const status = sent?.status ?? undefined;
  const recorded = status === undefined ? [] : [`The journal has the status ${status}.`];
  return ['Sent again.', outcome.problem, ...recorded, ...notes].join(' ');
}
