import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Admin } from './admin.ts';
import { toShownBody } from './exact-json.ts';
import { explainReason, toTone } from './explain-reason.ts';
import { bar, CopyButton, quoted, saveFile, TokenForm } from './parts.ts';
import { type FoundEntry, maxBytes, type Outcome, type Received } from './send-call.ts';

type ResultProps = {
  outcome: Outcome;
  /** Undefined while it is looked for. */
  found: FoundEntry | undefined;
  admin: Admin;
  /** Where the console is. */
  console: string;
  /** Looks for the reason again, with the token that the admin was given. */
  onRetry: () => void;
};

/** What came back, and beside it why. */
export function TryItResult(props: ResultProps): JSX.Element {
  const { outcome } = props;
  return html`
    <div class="try-it-result">
      <section class="card" aria-labelledby="response-title">
        <h3 id="response-title" tabindex="-1">Response</h3>
        <p role="status" class="row"><span>${statusLine(outcome)}</span></p>
        ${'status' in outcome && received(outcome)}
      </section>
      <section class="card" aria-labelledby="reason-title">
        <h3 id="reason-title">Why</h3>
        <div role="status">${why(props)}</div>
      </section>
    </div>
  `;
}

function received(outcome: Received): JSX.Element {
  return html`
    ${limitCounters(outcome.headers)}
    ${headerList(outcome.headers)}
    ${h(Body, { received: outcome })}
  `;
}

function statusLine(outcome: Outcome): JSX.Element {
  const took = `${Math.round(outcome.milliseconds).toLocaleString('en')} ms`;
  if ('problem' in outcome)
    return html`${quoted(outcome.problem)}<span class="quiet"> ${took}</span>`;
  const { status, statusText, bytes } = outcome;
  const length = `${bytes.length.toLocaleString('en')} bytes`;
  return html`
    <strong class="badge ${toTone(status)}">${status} ${statusText}</strong>
    <span class="quiet"> ${took}, ${length}</span>
  `;
}

function why({ found, admin, console: place, onRetry }: ResultProps): JSX.Element {
  const onToken = (token: string) => {
    admin.setToken(token);
    onRetry();
  };
  if (!found) return html`<p class="quiet">Looking into the journal ...</p>`;
  if ('problem' in found)
    return html`
      <p>${quoted(found.problem)}</p>
      ${admin.access().state === 'token' && h(TokenForm, { action: 'Show the reason', onToken })}
    `;
  const { entry } = found;
  const facts = [
    `request ${entry.id}`,
    entry.operation ?? 'no operation',
    entry.key === null ? 'no key' : entry.key,
    `sandbox ${entry.sandbox}`,
  ];
  return html`
    <p class="reason">${quoted(explainReason(entry))}</p>
    <p class="sub">${quoted(facts.join(', '))}</p>
    <p class="sub"><a href=${place}>Open the console</a></p>
  `;
}

function headerList(headers: Received['headers']): JSX.Element {
  return html`
    <details>
      <summary>Headers (${headers.length})</summary>
      <dl class="try-it-headers">
        ${headers.map(
          ([name, value]) =>
            html`
              <div key=${name}>
                <dt><code>${name}</code></dt>
                <dd><code>${quoted(value)}</code></dd>
              </div>
            `,
        )}
      </dl>
    </details>
  `;
}

function Body({ received }: { received: Received }): JSX.Element {
  const { bytes, headers, isCut } = received;
  const mediaType = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const shown = useMemo(() => toShownBody(bytes, mediaType), [bytes, mediaType]);
  if (shown.kind === 'none') return html`<p class="none">The response has no body.</p>`;
  const notes = [
    ...(shown.kind === 'binary' ? ['This is no text.'] : []),
    ...(shown.isWhole ? [] : ['Only its beginning is shown; save it to see the rest.']),
    ...(isCut ? [`Only its first ${maxBytes.toLocaleString('en')} bytes were read.`] : []),
  ];
  return html`
    <div>
      <p class="text-title">
        Body
        <span class="row">
          ${
            shown.kind === 'text' &&
            shown.isWhole &&
            h(CopyButton, { text: shown.text, about: 'the body' })
          }
          <button
            type="button"
            class="copy"
            onClick=${() => saveFile(toFileName(mediaType), bytes)}
          >
            Save
          </button>
        </span>
      </p>
      ${notes.length > 0 && html`<p class="quiet">${notes.join(' ')}</p>`}
      <pre tabindex="0" role="group" aria-label="Body of the response">
        ${quoted(shown.text, { lines: true })}
      </pre>
    </div>
  `;
}

function toFileName(mediaType: string): string {
  return `response.${/json/.test(mediaType) ? 'json' : 'bin'}`;
}

/** The rate-limit headers of a response, drawn: what is left of which limit until when. */
function limitCounters(headers: Received['headers']): JSX.Element | null {
  const textOf = (name: string) => headers.find(([one]) => one === name)?.[1];
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(textOf(`x-ratelimit-${name}`) ?? Number.NaN),
  ) as [number, number, number];
  if (![limit, remaining, reset].every(Number.isSafeInteger)) return null;
  const retryAfter = textOf('retry-after');
  const left = limit > 0 ? Math.min(100, Math.max(0, (100 * remaining) / limit)) : 0;
  const tone = remaining === 0 ? 'drift' : left < 20 ? 'standard' : 'kept';
  const count = (value: number) => value.toLocaleString('en');
  return html`
    <div class="try-it-limits is-${tone}">
      <p><strong>${count(remaining)}</strong> of ${count(limit)} requests left</p>
      ${bar(left)}
      <p class="sub">
        The window ends at ${toTime(reset)}.
        ${retryAfter !== undefined && ` Retry-After: ${retryAfter} s.`}
      </p>
    </div>
  `;
}

/** Unix seconds as a time of day, with the date as windows end at midnight too. */
function toTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime())
    ? String(seconds)
    : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
