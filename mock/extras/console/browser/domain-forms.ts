import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DnsRecord } from '../../../domains/dns-records.ts';
import type { Project } from '../../../domains/domains-state.ts';
import type { DomainView, RedirectView } from '../../domains/domain-view.ts';
import { AreaField, fieldsOf, TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { cardForm } from './panel.ts';
import { readZoneText, toNumberOrText, toZoneText } from './words.ts';

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

/** The redirects between domains, and a form that adds one. */
export function RedirectsForm({
  redirects,
  domains,
  say,
}: { redirects: readonly RedirectView[]; domains: readonly DomainView[] } & Say): JSX.Element {
  const [draft, setDraft] = useState({ from: '', to: '', status: '301' });
  const options = domains.map(({ domain, unicodeName = domain }) => [domain, unicodeName] as const);
  const isThere = options.some(([domain]) => domain === draft.to);
  const to = isThere ? draft.to : (options[0]?.[0] ?? '');
  const { from, status } = draft;
  const field = fieldsOf({
    draft: { ...draft, to },
    onChange: (changed) => setDraft({ ...draft, ...changed }),
  });
  return cardForm(
    { id: 'redirects-form', title: 'Redirects' },
    html`
      ${
        redirects.length === 0
          ? html`<p class="none">There is no redirect.</p>`
          : html`
            <ul class="domain-redirects" aria-label="Redirects">
              ${redirects.map((redirect) => redirectRow(redirect, say))}
            </ul>
          `
      }
      <div class="item-fields">
        ${field.text('from', 'From', { placeholder: 'old.example.com' })}
        ${field.select('to', 'To', options)}
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

function redirectRow(redirect: RedirectView, say: Say['say']): JSX.Element {
  const { from, to, status, unicodeFrom = from, unicodeTo = to } = redirect;
  const isUnicode = unicodeFrom !== from || unicodeTo !== to;
  return html`
    <li key=${from}>
      <p>
        ${quoted(`${unicodeFrom} → ${unicodeTo}`)}
        <span class="sub"> Status ${status}</span>
        ${isUnicode && html`<span class="sub">In DNS: ${from} → ${to}</span>`}
      </p>
      ${h(ActionButton, {
        label: 'Remove',
        about: `the redirect from ${unicodeFrom}`,
        operation: { method: 'DELETE', path: `redirects/${from}` },
        dangerous: `Remove the redirect from ${unicodeFrom}?`,
        onDone: () => say(`The redirect from ${unicodeFrom} is removed.`),
      })}
    </li>
  `;
}

const deploys = { succeeded: 'Succeeded', failed: 'Failed', none: 'None yet' };

/** A form of the project: its plan, its last deploy, and how long things take. */
export function ProjectForm({ project, say }: { project: Project } & Say): JSX.Element {
  const [draft, setDraft] = useState<Partial<Record<keyof Project, string>>>({});
  const { propagationHours, issuanceMinutes } = project;
  const texts = {
    ...project,
    propagationHours: String(propagationHours),
    issuanceMinutes: String(issuanceMinutes),
    ...draft,
  };
  const body = {
    ...texts,
    propagationHours: toNumberOrText(texts.propagationHours),
    issuanceMinutes: toNumberOrText(texts.issuanceMinutes),
  };
  const onChange = (changed: typeof draft) => setDraft({ ...draft, ...changed });
  const field = fieldsOf({ draft: texts, onChange });
  return cardForm(
    { id: 'project-form', title: 'Project' },
    html`
      <p class="sub">Domains need a paid plan and a successful deploy.</p>
      <div class="item-fields">
        ${field.select('plan', 'Plan', ['free', 'pro', 'business', 'enterprise'])}
        ${field.select('deploy', 'Last deploy', deploys)}
        ${field.text('target', 'Records point at')}
        ${field.text('authority', 'Authority, as CAA records name it')}
        ${field.number('propagationHours', 'Hours for records to spread, at most')}
        ${field.number('issuanceMinutes', 'Minutes for a certificate, at most')}
      </div>
      ${h(ActionButton, {
        label: 'Save the project',
        isSubmit: true,
        operation: { method: 'PUT', path: 'project', body },
        onDone: () => {
          setDraft({});
          say('The project is saved.');
        },
      })}
    `,
  );
}

/** The DNS records of the sandbox, and the name server where they are looked up, if there is one. */
export type Zone = { records: readonly DnsRecord[]; dnsServer?: string };

/** The DNS records of the sandbox: a form, or what was looked up at a name server. */
export function zoneSection({ records, dnsServer }: Zone, say: Say['say']): JSX.Element {
  if (dnsServer === undefined) return h(ZoneForm, { records, say });
  return html`
    <section class="card stack" aria-labelledby="zone-form">
      <h3 id="zone-form">DNS records</h3>
      <p class="sub">
        Looked up at <code>${dnsServer}</code> (--dns-server) when a domain is added, and when you
        verify it again. Set them there.
      </p>
      ${records.length === 0 && html`<p class="none">No record was found yet.</p>`}
      ${
        records.length > 0 &&
        html`<pre tabindex="0" aria-label="Records">${quoted(toZoneText(records), { lines: true })}</pre>`
      }
    </section>
  `;
}

/** The DNS records of the sandbox as text, to change. */
function ZoneForm({ records, say }: Pick<Zone, 'records'> & Say): JSX.Element {
  const [draft, setDraft] = useState<string>();
  const text = draft ?? toZoneText(records);
  const { records: given, problem } = readZoneText(text);
  return cardForm(
    { id: 'zone-form', title: 'DNS records', kind: 'zone' },
    html`
      ${h(AreaField, {
        label: 'Records',
        hint: 'One a line: name, TTL, type (A, AAAA, CNAME, ALIAS, ANAME, CAA), value.',
        rows: Math.max(3, text.split('\n').length),
        value: text,
        onValue: setDraft,
        problem,
      })}
      ${h(ActionButton, {
        label: 'Save the records',
        isSubmit: true,
        isDisabled: problem !== undefined,
        operation: { method: 'PUT', path: 'dns', body: { records: given } },
        onDone: () => {
          setDraft(undefined);
          say('The records are saved.');
        },
      })}
    `,
  );
}
