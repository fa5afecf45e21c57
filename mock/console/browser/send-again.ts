import { h, type JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Entry } from '../../journal/entry.ts';
import type { Admin } from '../../page-parts/browser/admin.ts';
import { Shown } from '../../page-parts/browser/shown.ts';
import { readDemoKeys } from './demo-keys.ts';
import { needsKey, type Resend, toResend } from './resend.ts';
import { useAdminClient } from './use-admin.ts';

type Props = { entry: Entry; onOpen: (id: number) => void };

/** A button that really sends a request again, or why a browser cannot. */
export function SendAgain({ entry, onOpen }: Props): JSX.Element {
  const admin = useAdminClient();
  const id = useId();
  const [key, setKey] = useState(() => readDemoKeys()[entry.key ?? ''] ?? '');
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const [next, setNext] = useState<number>();
  const asksForKey = needsKey(entry);
  const resend = toResend(entry, key, document.baseURI);

  if ('problem' in resend)
    return h(
      'p',
      { class: 'quiet' },
      h(Shown, { text: `It cannot be sent again from here: ${resend.problem}` }),
      entry.method !== null && ' Copy it as curl instead.',
    );
  const send = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setNext(undefined);
    setSaid(await sendOf(resend));
    setNext(await findNext(admin, entry));
    setBusy(false);
  };
  return h(
    'form',
    { class: 'send-again', onSubmit: send },
    asksForKey &&
      h(
        'p',
        { class: 'field' },
        h('label', { for: `${id}-key` }, 'Key to send, as the journal shows none'),
        h('input', {
          id: `${id}-key`,
          value: key,
          required: true,
          autocomplete: 'off',
          spellcheck: false,
          onInput: ({ currentTarget }: Event) => setKey((currentTarget as HTMLInputElement).value),
        }),
      ),
    h('button', { type: 'submit', 'aria-busy': isBusy }, 'Send again'),
    h('p', { role: 'status', class: 'outcome' }, said !== '' && h(Shown, { text: said })),
    next !== undefined &&
      h('button', { type: 'button', onClick: () => onOpen(next) }, `Open request ${next}`),
  );
}

async function sendOf({ method, url, headers, body, notes }: Resend): Promise<string> {
  const init = {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(body !== undefined && { body }),
    cache: 'no-store' as const,
    credentials: 'omit' as const,
    redirect: 'manual' as const,
  };
  try {
    const response = await fetch(url, init);
    await response.arrayBuffer();
    return [`Sent again, the response was ${response.status}.`, ...notes].join(' ');
  } catch {
    return ['Sent again. The connection broke before the response was complete.', ...notes].join(
      ' ',
    );
  }
}

/** The id of the newest request like one, after it. */
async function findNext(admin: Admin, { id, method, url }: Entry): Promise<number | undefined> {
  const result = await admin.call({
    method: 'POST',
    path: `requests/find?since=${id}&limit=1&admin=true`,
    body: { method, url },
  });
  return result.ok ? (result.value as { requests: Entry[] }).requests[0]?.id : undefined;
}
