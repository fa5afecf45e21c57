import { h, type JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Entry } from '../../journal/entry.ts';
import { CopyButton } from '../../pages/browser/copy-button.ts';
import { explainReason } from '../../pages/browser/explain-reason.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { toTone } from '../../pages/browser/status-tone.ts';
import { AnswerNext } from './answer-next.ts';
import { readDemoKeys } from './demo-keys.ts';
import { MessageView, toScroll } from './message-view.ts';
import { needsKey } from './resend.ts';
import { SendAgain } from './send-again.ts';
import { useAdmin, useAdminClient } from './use-admin.ts';

type Props = {
  id: number;
  onClose: () => void;
  onOpen: (id: number) => void;
};

/** A request with its response, why it got it, and what can be done with it. */
export function RequestDetail({ id, onClose, onOpen }: Props): JSX.Element {
  const { value: entry, problem } = useAdmin<Entry>(`requests/${id}`);
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  };
  return h(
    'article',
    { class: 'detail card', 'aria-labelledby': 'detail-title', onKeyDown },
    h(
      'header',
      { class: 'detail-head' },
      h('h3', { id: 'detail-title', tabIndex: -1, ref: title }, `Request ${id}`),
      entry && h(RequestLine, { entry }),
      h('button', { type: 'button', onClick: onClose }, 'Close'),
    ),
    problem !== undefined && h('p', { role: 'alert' }, h(Shown, { text: problem })),
    entry && h(EntryView, { entry, onOpen }),
  );
}

function RequestLine({ entry: { status, method, url } }: { entry: Entry }): JSX.Element {
  const line = `${method ?? ''} ${url ?? 'This was not HTTP.'}`.trim();
  return h(
    'p',
    { class: 'detail-line' },
    h('span', { class: `badge ${toTone(status)}` }, status ?? 'no response'),
    h('code', toScroll(line), h(Shown, { text: line })),
  );
}

function EntryView({ entry, onOpen }: { entry: Entry; onOpen: (id: number) => void }): JSX.Element {
  const { id, at, clock, milliseconds, operation, key } = entry;
  const facts: [name: string, text: string | null][] = [
    ['Operation', operation ?? 'none'],
    ['Key', key ?? 'none'],
    ['Received, system clock', at],
    ['Received, sandbox clock', clock],
    ['Took', milliseconds === null ? null : `${milliseconds} ms`],
  ];
  return h(
    'div',
    { class: 'stack' },
    h('p', { class: 'because' }, h(Shown, { text: explainReason(entry) })),
    h(
      'dl',
      { class: 'facts' },
      ...facts.flatMap(([name, text]) =>
        text === null
          ? []
          : h('div', { key: name }, h('dt', null, name), h('dd', null, h(Shown, { text }))),
      ),
    ),
    h(RequestActions, { entry, onOpen }),
    h(
      'div',
      { class: 'messages' },
      h(MessageView, { title: 'Request', about: `of request ${id}`, message: entry.request }),
      entry.response
        ? h(MessageView, { title: 'Response', about: `of request ${id}`, message: entry.response })
        : h('p', { class: 'none' }, 'The connection ended before a response.'),
    ),
  );
}

function RequestActions({
  entry,
  onOpen,
}: {
  entry: Entry;
  onOpen: (id: number) => void;
}): JSX.Element {
  const admin = useAdminClient();
  const lacksKey = needsKey(entry) && !Object.hasOwn(readDemoKeys(), entry.key ?? '');
  const readCurl = async () => {
    const result = await admin.call({ method: 'GET', path: `requests/${entry.id}/curl` });
    return result.ok ? result.text : undefined;
  };
  return h(
    'div',
    { class: 'detail-actions' },
    entry.method !== null && h(CopyButton, { label: 'Copy as curl', text: readCurl }),
    entry.method !== null &&
      lacksKey &&
      h(
        'p',
        { class: 'sub' },
        'The curl command has $KEY in place of the key. Set KEY in your shell first.',
      ),
    h(SendAgain, { entry, onOpen }),
    // Faults answer calls of the API alone.
    entry.reason.step !== 'admin' && h(AnswerNext, { entry }),
  );
}
