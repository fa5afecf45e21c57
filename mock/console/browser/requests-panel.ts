import { h, type JSX } from 'preact';
import type { Entry } from '../../journal/entry.ts';
import { ActionButton } from './action-button.ts';
import { Shown } from './shown.ts';
import { useAdmin } from './use-admin.ts';

/** The latest requests. */
export function RequestsPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ requests: Entry[] }>('requests?limit=50', { every: 1000 });
  return h(
    'div',
    { class: 'stack' },
    h(ActionButton, {
      label: 'Delete all requests',
      dangerous: 'Delete all requests of this sandbox from the journal?',
      operation: { method: 'DELETE', path: 'requests' },
    }),
    problem !== undefined && h('p', { role: 'alert' }, h(Shown, { text: problem })),
    h(
      'ol',
      { class: 'stack' },
      ...(value?.requests ?? []).map(({ id, method, url, status }) =>
        h('li', { key: id }, h(Shown, { text: `${status} ${method} ${url}` })),
      ),
    ),
  );
}
