import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DomainView, RedirectView } from '../../domains/domain-view.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { CardForm } from './card-form.ts';
import { SelectField, TextField } from './fields.ts';

type Say = { say: (text: string) => void };

/** A form that adds a domain. */
export function DomainForm({ say }: Say): JSX.Element {
  const [domain, setDomain] = useState('');
  return h(
    CardForm,
    { id: 'domain-form', title: 'Add a domain' },
    h(TextField, {
      label: 'Domain',
      value: domain,
      onValue: setDomain,
      placeholder: 'docs.example.com',
    }),
    h(ActionButton, {
      label: 'Add the domain',
      isSubmit: true,
      isDisabled: domain === '',
      operation: { method: 'POST', path: 'domains', body: { domain } },
      onDone: () => {
        setDomain('');
        say(`${domain} is added. Set its record.`);
      },
    }),
  );
}

/** The redirects between domains, and a form that adds one. */
export function RedirectsForm({
  redirects,
  domains,
  say,
}: { redirects: readonly RedirectView[]; domains: readonly DomainView[] } & Say): JSX.Element {
  const [from, setFrom] = useState('');
  const [chosen, setTo] = useState('');
  const [status, setStatus] = useState('301');
  const options = domains.map(({ domain, unicodeName = domain }) => [domain, unicodeName] as const);
  const to = options.some(([domain]) => domain === chosen) ? chosen : (options[0]?.[0] ?? '');
  return h(
    CardForm,
    { id: 'redirects-form', title: 'Redirects' },
    redirects.length === 0
      ? h('p', { class: 'none' }, 'There is no redirect.')
      : h(
          'ul',
          { class: 'domain-redirects', 'aria-label': 'Redirects' },
          ...redirects.map((redirect) => h(RedirectRow, { key: redirect.from, redirect, say })),
        ),
    h(
      'div',
      { class: 'item-fields' },
      h(TextField, {
        label: 'From',
        value: from,
        onValue: setFrom,
        placeholder: 'old.example.com',
      }),
      h(SelectField, { label: 'To', options, value: to, onValue: setTo }),
      h(SelectField, {
        label: 'Status',
        options: ['301', '302', '303', '307', '308'],
        value: status,
        onValue: setStatus,
      }),
    ),
    h(ActionButton, {
      label: 'Add the redirect',
      isSubmit: true,
      isDisabled: from === '' || to === '',
      operation: { method: 'POST', path: 'redirects', body: { from, to, status: Number(status) } },
      onDone: () => {
        setFrom('');
        say(`The redirect from ${from} is added.`);
      },
    }),
  );
}

function RedirectRow({ redirect, say }: { redirect: RedirectView } & Say): JSX.Element {
  const { from, to, status, unicodeFrom = from, unicodeTo = to } = redirect;
  const isUnicode = unicodeFrom !== from || unicodeTo !== to;
  return h(
    'li',
    null,
    h(
      'p',
      null,
      h(Shown, { text: `${unicodeFrom} → ${unicodeTo}` }),
      h('span', { class: 'sub' }, ` Status ${status}`),
      isUnicode && h('span', { class: 'sub' }, `In DNS: ${from} → ${to}`),
    ),
    h(ActionButton, {
      label: 'Remove',
      about: `the redirect from ${unicodeFrom}`,
      operation: { method: 'DELETE', path: `redirects/${from}` },
      dangerous: `Remove the redirect from ${unicodeFrom}?`,
      onDone: () => say(`The redirect from ${unicodeFrom} is removed.`),
    }),
  );
}
