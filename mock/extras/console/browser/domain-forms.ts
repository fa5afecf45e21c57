import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DnsRecord } from '../../../domains/dns-records.ts';
import type { Project, Redirect } from '../../../domains/domains-state.ts';
import type { DomainView } from '../../domains/domain-view.ts';
import { TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { JsonForm } from './json-form.ts';
import { cardForm } from './panel.ts';

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

/** A form that adds a redirect to a domain. */
export function redirectForm(domains: readonly DomainView[], say: Say['say']): JSX.Element {
  const to = domains[0]?.domain ?? 'docs.example.com';
  return h(JsonForm, {
    id: 'redirect-form',
    title: 'Add a redirect',
    hint: 'From any name to a domain of the project.',
    text: JSON.stringify({ from: 'old.example.com', to, status: 301 }, undefined, 2),
    label: 'Add the redirect',
    toOperation: (text) => ({ method: 'POST', path: 'redirects', text }),
    onDone: (value) => say(`The redirect from ${(value as Redirect).from} is added.`),
  });
}

/** A redirect in a list. */
export function redirectRow(redirect: Redirect, say: Say['say']): JSX.Element {
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
