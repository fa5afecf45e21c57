import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DnsRecord } from '../../domains/dns-records.ts';
import type { Project, Redirect } from '../../domains/domains-state.ts';
import { Shown } from '../../page-parts/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { CardForm } from './card-form.ts';
import { AreaField, SelectField, TextField } from './fields.ts';
import { toNumberOrText } from './number-text.ts';
import { readZoneText, toZoneText } from './zone-text.ts';

type Say = { say: (text: string) => void };

/** A form of the project: its plan, its last deploy, and how long things take. */
export function ProjectForm({ project, say }: { project: Project } & Say): JSX.Element {
  const [draft, setDraft] = useState<Partial<Record<keyof Project, string>>>({});
  const field = (name: keyof Project) => ({
    value: draft[name] ?? String(project[name]),
    onValue: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  const body = {
    ...project,
    plan: field('plan').value,
    deploy: field('deploy').value,
    propagationHours: toNumberOrText(field('propagationHours').value),
    issuanceMinutes: toNumberOrText(field('issuanceMinutes').value),
  };
  return h(
    CardForm,
    { id: 'project-form', title: 'Project' },
    h('p', { class: 'sub' }, 'Domains need a paid plan and a successful deploy.'),
    h(
      'div',
      { class: 'item-fields' },
      h(SelectField, {
        label: 'Plan',
        options: ['free', 'pro', 'business', 'enterprise'],
        ...field('plan'),
      }),
      h(SelectField, {
        label: 'Last deploy',
        options: [
          ['succeeded', 'Succeeded'],
          ['failed', 'Failed'],
          ['none', 'None yet'],
        ],
        ...field('deploy'),
      }),
      h(TextField, {
        label: 'Hours for records to spread, at most',
        kind: 'number',
        ...field('propagationHours'),
      }),
      h(TextField, {
        label: 'Minutes for a certificate, at most',
        kind: 'number',
        ...field('issuanceMinutes'),
      }),
    ),
    h(ActionButton, {
      label: 'Save the project',
      isSubmit: true,
      operation: { method: 'PUT', path: 'project', body },
      onDone: () => {
        setDraft({});
        say('The project is saved.');
      },
    }),
  );
}

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
}: { redirects: readonly Redirect[]; domains: readonly string[] } & Say): JSX.Element {
  const [from, setFrom] = useState('');
  const [chosen, setTo] = useState('');
  const [status, setStatus] = useState('301');
  const to = domains.includes(chosen) ? chosen : (domains[0] ?? '');
  return h(
    CardForm,
    { id: 'redirects-form', title: 'Redirects' },
    redirects.length === 0
      ? h('p', { class: 'none' }, 'There is no redirect.')
      : h(
          'ul',
          { class: 'domain-redirects', 'aria-label': 'Redirects' },
          ...redirects.map((redirect) =>
            h(
              'li',
              { key: redirect.from },
              h(
                'p',
                null,
                h(Shown, { text: `${redirect.from} → ${redirect.to}` }),
                h('span', { class: 'sub' }, ` ${redirect.status}`),
              ),
              h(ActionButton, {
                label: 'Remove',
                about: `the redirect from ${redirect.from}`,
                operation: { method: 'DELETE', path: `redirects/${redirect.from}` },
                dangerous: `Remove the redirect from ${redirect.from}?`,
                onDone: () => say(`The redirect from ${redirect.from} is removed.`),
              }),
            ),
          ),
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
      h(SelectField, { label: 'To', options: domains, value: to, onValue: setTo }),
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

/** The DNS records of the sandbox as text. */
export function ZoneForm({ records, say }: { records: readonly DnsRecord[] } & Say): JSX.Element {
  const [draft, setDraft] = useState<string>();
  const text = draft ?? toZoneText(records);
  const { records: given, problem } = readZoneText(text);
  return h(
    CardForm,
    { id: 'zone-form', title: 'DNS records' },
    h(AreaField, {
      label: 'Records',
      hint: 'One a line: name, TTL, type (A, AAAA, CNAME, ALIAS, ANAME, CAA), value.',
      rows: Math.max(3, text.split('\n').length),
      value: text,
      onValue: setDraft,
      problem,
    }),
    h(ActionButton, {
      label: 'Save the records',
      isSubmit: true,
      isDisabled: problem !== undefined,
      operation: { method: 'PUT', path: 'dns', body: { records: given } },
      onDone: () => {
        setDraft(undefined);
        say('The records are saved.');
      },
    }),
  );
}
