import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { basicUser } from '../../../curl/place-key.ts';
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
import { readPageData } from './place.ts';
import { useConsole } from './state.ts';

type SendProps = { entry: Entry; onOpen: (id: number) => void };

/** A button that really sends a request again, or why a browser cannot. */
export function SendAgain({ entry, onOpen }: SendProps): JSX.Element {
  const { admin } = useConsole();
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

/** The journal's text in place of a key. */
export const filteredKey = '[Filtered]';

/** Whether the journal hid a key of a request, so that one is needed to send it again. */
export function needsKey({ url, request }: Entry): boolean {
  return [url ?? '', request.body ?? '', ...Object.values(request.headers).flat()].some((text) =>
    text.includes(filteredKey),
  );
}

/** Why a browser cannot send a request again. */
export function problemOfResend({ method, url, request }: Entry): string | undefined {
  if (method === null || !url?.startsWith('/')) return 'This was no HTTP request for a path.';
  if (request.truncated) return 'The journal has only the beginning of its body.';
  if (request.body !== null && /^(?:GET|HEAD)$/.test(method))
    return `Browsers send no body with ${method}. Copy it as curl instead.`;
  return undefined;
}

/** A request as `fetch` sends it. */
export type Resend = {
  url: string;
  init: { method: string; headers: [name: string, value: string][]; body?: string };
};

/** Headers that describe a body's length and encoding; the body is sent as it is shown. */
const ofBody = ['content-length', 'content-encoding', 'transfer-encoding'];

/**
 * Creates the request that repeats an exchange, with a key in place of a filtered one. `base` is
 * the URL of the console. The browser replaces headers that no page may set.
 */
export function toResend({ method, url, request }: Entry, key: string, base: string): Resend {
  const fill = (text: string) =>
    text === `Basic ${filteredKey}`
      ? `Basic ${btoa(`${basicUser}:${key}`)}`
      : text.replaceAll(filteredKey, key);
  const root = new URL('..', base).href.replace(/\/$/, '');
  const headers = Object.entries(request.headers)
    .filter(([name]) => !ofBody.includes(name.toLowerCase()))
    .flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, fill(value)]),
    );
  return {
    url: root + (url ?? '').replaceAll(filteredKey, encodeURIComponent(key)),
    init: {
      method: method ?? 'GET',
      headers,
      ...(request.body !== null && { body: fill(request.body) }),
    },
  };
}
