import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { explainEntry, toTone } from '../../../journal/explain-reason.ts';
import type { Admin } from './admin.ts';
import { maxDrawn, toShownBody } from './exact-json.ts';
import { CopyButton, quoted, saveFile, TokenForm } from './parts.ts';
import type { FoundEntry, Outcome, ReceivedResponse } from './send-call.ts';

type ResultProps = {
  outcome: Outcome;
  /** Undefined while it is looked for. */
  found: FoundEntry | undefined;
  admin: Admin;
  /** The URL of the console. */
  console: string;
  /** Looks for the reason again, with the token that the admin was given. */
  onRetry: () => void;
};

/** Shows the response, and the reason beside it. */
export function TryItResult(props: ResultProps): JSX.Element {
  const { outcome } = props;
  return html`
    <div class="try-it-result">
      <section class="card stack" aria-labelledby="response-title">
        <h3 id="response-title" tabindex="-1">Response</h3>
        <p role="status">${statusLine(outcome)}</p>
        ${'status' in outcome && headerList(outcome.headers)}
        ${'status' in outcome && h(Body, { received: outcome })}
      </section>
      <section class="card stack" aria-labelledby="reason-title">
        <h3 id="reason-title">Why</h3>
        <div role="status">${why(props)}</div>
      </section>
    </div>
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
  const { id, operation, key, sandbox } = found.entry;
  const facts = [
    `request ${id}`,
    operation ?? 'no operation',
    key ?? 'no key',
    `sandbox ${sandbox}`,
  ];
  return html`
    <p class="reason">${quoted(explainEntry(found.entry))}</p>
    <p class="sub">${quoted(facts.join(', '))}</p>
    <p class="sub"><a href=${place}>Open the console</a></p>
  `;
}

function headerList(headers: ReceivedResponse['headers']): JSX.Element {
  const rows = headers.map(
    ([name, value]) =>
      html`<div key=${name}><dt><code>${name}</code></dt><dd><code>${quoted(value)}</code></dd></div>`,
  );
  return html`
    <details>
      <summary>Headers (${headers.length})</summary>
      <dl class="try-it-headers">${rows}</dl>
    </details>
  `;
}

function Body({ received: { bytes, headers } }: { received: ReceivedResponse }): JSX.Element {
  const mediaType = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const text = useMemo(() => toShownBody(bytes, mediaType), [bytes, mediaType]);
  if (bytes.length === 0) return html`<p class="none">The response has no body.</p>`;
  const isCut = text !== undefined && text.length > maxDrawn;
  const file = `response.${/json/.test(mediaType) ? 'json' : 'bin'}`;
  return html`
    <div>
      <p class="text-title">
        Body
        <span class="row">
          ${text !== undefined && !isCut && h(CopyButton, { text, about: 'the body' })}
          <button type="button" class="copy" onClick=${() => saveFile(file, bytes)}>Save</button>
        </span>
      </p>
      ${text === undefined && html`<p class="quiet">This is no text.</p>`}
      ${isCut && html`<p class="quiet">Only its beginning is shown; save it to see the rest.</p>`}
      ${
        text !== undefined &&
        html`
          <pre tabindex="0" role="group" aria-label="Body of the response">
            ${quoted(text.slice(0, maxDrawn), { lines: true })}
          </pre>
        `
      }
    </div>
  `;
}
