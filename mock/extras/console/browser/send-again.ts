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
import { readPageData } from './page.ts';
import { needsKey, problemOfResend, toResend } from './resend.ts';
import { useAdminClient } from './use-admin.ts';

type SendProps = { entry: Entry; onOpen: (id: number) => void };

/** A button that really sends a request again, or why a browser cannot. */
export function SendAgain({ entry, onOpen }: SendProps): JSX.Element {
  const admin = useAdminClient();
  const [key, setKey] = useState(() => readPageData().keys[entry.key ?? ''] ?? '');
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [next, setNext] = useState<number>();
  const problem = problemOfResend(entry);
  if (problem !== undefined)
    return html`<p class="quiet">It cannot be sent again from here: ${problem}</p>`;
  const send = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setNext(undefined);
    const mark = createMark();
    const { url, init } = toResend(entry, key, document.baseURI);
    const headers = [...init.headers, [markHeader, mark] as [string, string]];
    const outcome = await sendCall(url, { ...init, headers });
    const urls = toTwinUrls(new URL('..', document.baseURI));
    const found = await findEntry(mark, { admin, urls });
    const sent = 'entry' in found ? found.entry : undefined;
    setSaid(describeOutcome(outcome, sent));
    // A sandbox that was deleted meanwhile leaves the request to the default one.
    setNext(sent?.sandbox === entry.sandbox ? sent.id : undefined);
    setBusy(false);
  };
  return html`
    <form class="row" onSubmit=${send}>
      ${
        needsKey(entry) &&
        h(TextField, {
          label: 'API key (the journal does not record keys)',
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

/** Describes the response; the journal has the statuses that a browser does not show. */
function describeOutcome(outcome: Outcome, sent?: Entry): string {
  if ('status' in outcome) return `Sent again, the response was ${outcome.status}.`;
  const recorded = sent?.status ? ` The journal has the status ${sent.status}.` : '';
  return `Sent again. ${outcome.problem}${recorded}`;
}
