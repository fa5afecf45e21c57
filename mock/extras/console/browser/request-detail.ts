import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { countOf } from '../../../../common/look/amounts.ts';
import type { Entry, Message } from '../../../journal/entry.ts';
import { explainEntry, toTone } from '../../../journal/explain-reason.ts';
import { indentJson } from '../../pages/browser/exact-json.ts';
import { CopyButton, quoted } from '../../pages/browser/parts.ts';
import { isClosing, takeFocus } from './panel.ts';
import { readPageData } from './place.ts';
import { needsKey, SendAgain } from './send-again.ts';
import { type PanelState, useConsole } from './state.ts';

/** A request with its response, why it got it, and what can be done with it. */
export function requestDetail(
  state: PanelState,
  id: number,
  onOpen: (id: number | undefined) => void,
): JSX.Element {
  const { value: entry, problem } = state.reading<Entry>(`requests/${id}`, Infinity);
  const close = () => onOpen(undefined);
  const onKeyDown = (event: KeyboardEvent) => isClosing(event) && close();
  return html`
    <article key=${id} class="detail card" aria-labelledby="detail-title" onKeyDown=${onKeyDown}>
      <header class="ends">
        <h3 id="detail-title" tabindex="-1" ref=${takeFocus}>Request ${id}</h3>
        <button type="button" onClick=${close}>Close</button>
      </header>
      ${problem !== undefined && html`<p role="alert">${quoted(problem)}</p>`}
      ${entry && h(EntryView, { entry, onOpen })}
    </article>
  `;
}

type EntryProps = { entry: Entry; onOpen: (id: number) => void };

/** Shows the entry of a request. It is not drawn again, however many requests come meanwhile. */
function EntryView({ entry, onOpen }: EntryProps): JSX.Element {
  return useMemo(() => entryView(entry, onOpen), [entry]);
}

function entryView(entry: Entry, onOpen: (id: number) => void): JSX.Element {
  const { id, at, clock, milliseconds, operation, key, request, response, traceparent } = entry;
  const { status, method, url } = entry;
  const line = `${method ?? ''} ${url ?? 'This was not HTTP.'}`.trim();
  const facts: [name: string, text: string | null][] = [
    ['Operation', operation ?? 'none'],
    ['Key', key ?? 'none'],
    ['Received, system clock', at],
    ['Received, sandbox clock', clock],
    ['Took', milliseconds === null ? null : `${milliseconds} ms`],
    ['Trace', traceparent],
  ];
  return html`
    <div class="stack">
      <p>
        <span class="badge ${toTone(status)}">${status ?? 'no response'}</span>
        ${' '}<code>${quoted(line)}</code>
      </p>
      <p class="because">${quoted(explainEntry(entry))}</p>
      <dl class="facts">
        ${facts.map(
          ([name, text]) =>
            text !== null && html`<div key=${name}><dt>${name}</dt><dd>${quoted(text)}</dd></div>`,
        )}
      </dl>
      ${h(RequestActions, { entry, onOpen })}
      <div class="messages">
        ${messageView('Request', `of request ${id}`, request)}
        ${
          response
            ? messageView('Response', `of request ${id}`, response)
            : html`<p class="none">The connection ended before a response.</p>`
        }
      </div>
    </div>
  `;
}

function RequestActions({ entry, onOpen }: EntryProps): JSX.Element {
  const { admin } = useConsole();
  const lacksKey = needsKey(entry) && !Object.hasOwn(readPageData().keys, entry.key ?? '');
  const readCurl = async () => {
    const result = await admin.call({ method: 'GET', path: `requests/${entry.id}/curl` });
    return result.ok ? result.text : undefined;
  };
  return html`
    <div class="row">
      ${entry.method !== null && h(CopyButton, { label: 'Copy as curl', text: readCurl })}
      ${h(SendAgain, { entry, onOpen })}
      ${entry.operation !== null && html`<a href="#faults">Add a fault</a>`}
    </div>
    ${
      entry.method !== null &&
      lacksKey &&
      html`
        <p class="sub">
          ${'The curl command has $KEY in place of the key. Set KEY in your shell first.'}
        </p>
      `
    }
  `;
}

/** The body and the headers of a request or a response. */
function messageView(title: 'Request' | 'Response', about: string, message: Message): JSX.Element {
  const { headers, body, truncated } = message;
  const id = `detail-${title}`;
  const shown = body === null || truncated ? body : (indentJson(body) ?? body);
  const rows = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  return html`
    <section class="message" aria-labelledby=${id}>
      <h4 id=${id}>${title}</h4>
      <p class="sub">${describeBody(message)}</p>
      ${
        shown !== null &&
        html`
          <pre tabindex="0" role="group" aria-label="${title} body">${quoted(shown, { lines: true })}</pre>
          ${h(CopyButton, { text: body ?? '', about: `the body ${about}`, label: 'Copy body' })}
        `
      }
      <dl class="headers">
        ${rows.map(
          ([name, value], place) =>
            html`<div key=${place}><dt>${quoted(name)}</dt><dd>${quoted(value)}</dd></div>`,
        )}
      </dl>
      ${rows.length === 0 && html`<p class="quiet">No headers.</p>`}
    </section>
  `;
}

/** How long a body is, and what is not shown of it. */
function describeBody({ body, bytes, truncated }: Message): string {
  if (body === null) return bytes > 0 ? 'Its body was not read.' : 'No body.';
  const many = countOf(bytes, 'byte');
  if (truncated) return `The beginning of a body of ${many}; the journal has no more.`;
  const unread = body.includes('\uFFFD') ? '. Invalid UTF-8 is shown as \uFFFD.' : '';
  return `Body of ${many}${unread}`;
}
