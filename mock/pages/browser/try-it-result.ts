import { h, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Admin } from './admin.ts';
import { CopyButton } from './copy-button.ts';
import { explainReason } from './explain-reason.ts';
import type { FoundEntry } from './find-entry.ts';
import { LimitCounters } from './limit-counters.ts';
import { saveFile } from './save-file.ts';
import { maxBytes, type Outcome, type Received } from './send-call.ts';
import { Shown } from './shown.ts';
import { toShownBody } from './shown-body.ts';
import { toTone } from './status-tone.ts';
import { TokenForm } from './token-form.ts';

type Props = {
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
export function TryItResult(props: Props): JSX.Element {
  const { outcome, found } = props;
  return h(
    'div',
    { class: 'try-it-result' },
    h(
      'section',
      { class: 'card', 'aria-labelledby': 'response-title' },
      h('h3', { id: 'response-title', tabIndex: -1 }, 'Response'),
      h('p', { role: 'status', class: 'row' }, h(StatusLine, { outcome })),
      'status' in outcome && [
        h(LimitCounters, { key: 'limits', headers: outcome.headers }),
        h(Headers, { key: 'headers', headers: outcome.headers }),
        h(Body, { key: 'body', received: outcome }),
      ],
    ),
    h(
      'section',
      { class: 'card', 'aria-labelledby': 'reason-title' },
      h('h3', { id: 'reason-title' }, 'Why'),
      h('div', { role: 'status' }, h(Why, { ...props, found })),
    ),
  );
}

function StatusLine({ outcome }: { outcome: Outcome }): JSX.Element {
  const took = `${Math.round(outcome.milliseconds).toLocaleString('en')} ms`;
  if ('problem' in outcome)
    return h(
      'span',
      null,
      h(Shown, { text: outcome.problem }),
      h('span', { class: 'quiet' }, ` ${took}`),
    );
  const { status, statusText, bytes } = outcome;
  const length = `${bytes.length.toLocaleString('en')} bytes`;
  return h(
    'span',
    null,
    h('strong', { class: `badge ${toTone(status)}` }, `${status} ${statusText}`),
    h('span', { class: 'quiet' }, ` ${took}, ${length}`),
  );
}

function Why({ found, admin, console: place, onRetry }: Props): JSX.Element {
  const onToken = (token: string) => {
    admin.setToken(token);
    onRetry();
  };
  if (!found) return h('p', { class: 'quiet' }, 'Looking into the journal ...');
  if ('problem' in found)
    return h(
      'div',
      null,
      h('p', null, h(Shown, { text: found.problem })),
      // The journal is the admin's, which may ask for its token.
      admin.access().state === 'token' && h(TokenForm, { action: 'Show the reason', onToken }),
    );
  const { entry } = found;
  const facts = [
    `request ${entry.id}`,
    entry.operation ?? 'no operation',
    entry.key === null ? 'no key' : entry.key,
    `sandbox ${entry.sandbox}`,
  ];
  return h(
    'div',
    null,
    h('p', { class: 'reason' }, h(Shown, { text: explainReason(entry) })),
    h('p', { class: 'sub' }, h(Shown, { text: facts.join(', ') })),
    h('p', { class: 'sub' }, h('a', { href: place }, 'Open the console')),
  );
}

function Headers({ headers }: Pick<Received, 'headers'>): JSX.Element {
  return h(
    'details',
    null,
    h('summary', null, `Headers (${headers.length})`),
    h(
      'dl',
      { class: 'try-it-headers' },
      ...headers.map(([name, value]) =>
        h(
          'div',
          { key: name },
          h('dt', null, h('code', null, name)),
          h('dd', null, h('code', null, h(Shown, { text: value }))),
        ),
      ),
    ),
  );
}

function Body({ received }: { received: Received }): JSX.Element {
  const { bytes, headers, isCut } = received;
  const mediaType = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const shown = useMemo(() => toShownBody(bytes, mediaType), [bytes, mediaType]);
  if (shown.kind === 'none') return h('p', { class: 'none' }, 'The response has no body.');
  const notes = [
    ...(shown.kind === 'binary' ? ['This is no text.'] : []),
    ...(shown.isWhole ? [] : ['Only its beginning is shown; save it to see the rest.']),
    ...(isCut ? [`Only its first ${maxBytes.toLocaleString('en')} bytes were read.`] : []),
  ];
  return h(
    'div',
    null,
    h(
      'p',
      { class: 'text-title' },
      'Body',
      h(
        'span',
        { class: 'row' },
        shown.kind === 'text' &&
          shown.isWhole &&
          h(CopyButton, { text: shown.text, about: 'the body' }),
        h(
          'button',
          {
            type: 'button',
            class: 'copy',
            onClick: () => saveFile(toFileName(mediaType), bytes),
          },
          'Save',
        ),
      ),
    ),
    notes.length > 0 && h('p', { class: 'quiet' }, notes.join(' ')),
    h(
      'pre',
      { tabIndex: 0, role: 'group', 'aria-label': 'Body of the response' },
      h(Shown, { text: shown.text, lines: true }),
    ),
  );
}

function toFileName(mediaType: string): string {
  return `response.${/json/.test(mediaType) ? 'json' : 'bin'}`;
}
