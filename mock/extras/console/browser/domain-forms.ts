import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DnsRecord } from '../../../domains/dns-records.ts';
import type { Project, Redirect } from '../../../domains/domains-state.ts';
import type { DomainView } from '../../domains/domain-view.ts';
import { fieldsOf, TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { JsonForm } from './json-form.ts';
import { cardForm, panelList } from './panel.ts';

type Say = { say: (text: string) => void };

/** A form that adds a domain. */
export function DomainForm({ say }: Say): JSX.Element {
  const [domain, setDomain] = useState('');
  return cardForm(
    { id: 'domain-form', title: 'Add a domain' },
    html`
      ${h(TextField, {
        label: 'Domain',
        value: domain,
        onValue: setDomain,
        placeholder: 'docs.example.com',
      })}
      ${h(ActionButton, {
        label: 'Add the domain',
        isSubmit: true,
        isDisabled: domain === '',
        operation: { method: 'POST', path: 'domains', body: { domain } },
        onDone: () => {
          setDomain('');
          say(`${domain} is added. Set its record.`);
        },
      })}
    `,
  );
}

type RedirectsProps = {
  redirects: readonly Redirect[];
  domains: readonly DomainView[];
} & Say;

/** The redirects between domains, and a form that adds one. */
export function RedirectsForm({ redirects, domains, say }: RedirectsProps): JSX.Element {
  const [draft, setDraft] = useState({ from: '', to: '', status: '301' });
  const names = domains.map(({ domain }) => domain);
  const { from, status } = draft;
  const to = names.includes(draft.to) ? draft.to : (names[0] ?? '');
  const field = fieldsOf({
    draft: { ...draft, to },
    onChange: (changed) => setDraft({ ...draft, ...changed }),
  });
  return cardForm(
    { id: 'redirects-form', title: 'Redirects' },
    html`
      ${panelList(
        redirects.map((redirect) => redirectRow(redirect, say)),
        { label: 'Redirects', none: 'There is no redirect.' },
      )}
      <div class="row">
        ${field.text('from', 'From', { placeholder: 'old.example.com' })}
        ${field.select('to', 'To', names)}
        ${field.select('status', 'Status', ['301', '302', '303', '307', '308'])}
      </div>
      ${h(ActionButton, {
        label: 'Add the redirect',
        isSubmit: true,
        isDisabled: from === '' || to === '',
        operation: {
          method: 'POST',
          path: 'redirects',
          body: { from, to, status: Number(status) },
        },
        onDone: () => {
          setDraft({ ...draft, from: '' });
          say(`The redirect from ${from} is added.`);
        },
      })}
    `,
  );
}

function redirectRow(redirect: Redirect, say: Say['say']): JSX.Element {
  const { from, to, status } = redirect;
  return html`
    <li key=${from} class="ends">
      <p>
        ${quoted(`${from} → ${to}`)} <span class="sub">Status ${status}</span>
      </p>
      ${h(ActionButton, {
        label: 'Remove',
        about: `the redirect from ${from}`,
        operation: { method: 'DELETE', path: `redirects/${from}` },
        dangerous: `Remove the redirect from ${from}?`,
        onDone: () => say(`The redirect from ${from} is removed.`),
      })}
    </li>
  `;
}

/** A form of the project: its plan, its last deploy, and how long things take. */
export function projectForm(project: Project, say: Say['say']): JSX.Element {
  return h(JsonForm, {
    id: 'project-form',
    title: 'Project',
    hint: 'Domains need a paid "plan" (pro, business, enterprise), and "deploy" must be "succeeded".',
    text: JSON.stringify(project, undefined, 2),
    label: 'Save the project',
    toOperation: (text) => ({ method: 'PUT', path: 'project', text }),
    onDone: () => say('The project is saved.'),
  });
}

/** The DNS records of the sandbox. */
export type Zone = { records: readonly DnsRecord[] };

/** A form of the DNS records of the sandbox, one a line. */
export function zoneForm({ records }: Zone, say: Say['say']): JSX.Element {
  const lines = records.map((record) => `  ${JSON.stringify(record)}`);
  return h(JsonForm, {
    id: 'zone-form',
    title: 'DNS records',
    hint: 'Each has name, type (A, AAAA, CNAME, ALIAS, ANAME, CAA), ttl and value.',
    text: records.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`,
    label: 'Save the records',
    toOperation: (given) => ({ method: 'PUT', path: 'dns', text: `{"records":${given}}` }),
    onDone: () => say('The records are saved.'),
  });
}
