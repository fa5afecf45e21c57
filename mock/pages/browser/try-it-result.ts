import { h, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Admin } from './admin.ts';
import { toShownBody } from './exact-json.ts';
import { explainReason, toTone } from './explain-reason.ts';
import { CopyButton, Shown, saveFile, TokenForm } from './parts.ts';
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

function Why({ found, admin, console: place, onRetry }: ResultProps): JSX.Element {
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

type LimitProps = { headers: readonly (readonly [name: string, value: string])[] };

/** The rate-limit headers of a response, drawn: what is left of which limit until when. */
export function LimitCounters({ headers }: LimitProps): JSX.Element | null {
  const textOf = (name: string) => headers.find(([one]) => one === name)?.[1];
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(textOf(`x-ratelimit-${name}`) ?? Number.NaN),
  ) as [number, number, number];
  if (![limit, remaining, reset].every(Number.isSafeInteger)) return null;
  const retryAfter = textOf('retry-after');
  const left = limit > 0 ? Math.min(100, Math.max(0, (100 * remaining) / limit)) : 0;
  const tone = remaining === 0 ? 'drift' : left < 20 ? 'standard' : 'kept';
  const count = (value: number) => value.toLocaleString('en');
  return h(
    'div',
    { class: `try-it-limits is-${tone}` },
    h('p', null, h('strong', null, count(remaining)), ` of ${count(limit)} requests left`),
    h(
      'svg',
      { class: 'bar', viewBox: '0 0 100 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      h('rect', { width: left, height: 1 }),
    ),
    h(
      'p',
      { class: 'sub' },
      `The window ends at ${toTime(reset)}.`,
      retryAfter !== undefined && ` Retry-After: ${retryAfter} s.`,
    ),
  );
}

/** Unix seconds as a time of day, with the date as windows end at midnight too. */
function toTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime())
    ? String(seconds)
    : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
