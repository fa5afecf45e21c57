import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { toUtcText } from '../../../../common/look/amounts.ts';
import type { DnsRecord } from '../../../domains/dns-records.ts';
import type { Project, Redirect } from '../../../domains/domains-state.ts';
import type { DomainView } from '../../domains/domain-view.ts';
import { CopyButton, quoted } from '../../pages/browser/parts.ts';
import { freezeAt } from './clock-panel.ts';
import { button, cardForm, draftOf, jsonForm, panelList, panelSection } from './panel.ts';
import type { PanelState } from './state.ts';

/** The DNS records of the sandbox. */
type Zone = { records: readonly DnsRecord[] };

const none =
  'The project has no domain. Add one to rehearse a custom domain of the service: its DNS records, its certificate and its redirects.';

/** The custom domains of the published project, their records and redirects. */
export function domainsPanel(state: PanelState): JSX.Element {
  const items = state.read<{ domains: DomainView[] }>('domains')?.domains;
  const project = state.read<Project>('project', 5000);
  const zone = state.read<Zone>('dns', 5000);
  const { redirects = [] } = state.read<{ redirects: Redirect[] }>('redirects', 5000) ?? {};
  const toCard = (view: DomainView) => domainCard(view, zone);
  return html`
    ${panelSection(
      state,
      { id: 'domain-list', title: 'Domains' },
      html`
        ${panelList(state, { about: 'domains', none, items, toCard })}
        ${
          redirects.length > 0 &&
          html`
            <div class="card stack">
              <h4 id="redirects">Redirects</h4>
              <ul class="stack" aria-labelledby="redirects">${redirects.map(redirectRow)}</ul>
            </div>
          `
        }
      `,
    )}
    <div class="cards">
      ${domainForm(state)}
      ${redirectForm(state, items?.[0]?.domain ?? 'docs.example.com')}
      ${project && projectForm(state, project)}
    </div>
    ${zone && zoneForm(state, zone)}
  `;
}

/** A domain: its state and what it waits for, the record to set, and what is wrong. */
function domainCard(view: DomainView, zone: Zone | undefined): JSX.Element {
  const { domain: name, kind, state, expectedAt, problems } = view;
  const path = `domains/${name}`;
  return html`
    <li key=${name} class="card stack">
      <div class="row">
        <h4>${quoted(name)}</h4>
        <span class="sub">${kind === 'apex' ? 'Apex' : 'Subdomain'}</span>
      </div>
      ${stateList(state, name)}
      ${progress(view)}
      ${problems.map(
        ({ code, message, whatToDo, blocks }) => html`
          <div key=${code} class="because ${blocks ? 'is-drift' : 'is-difference'}">
            <p>${quoted(message)}</p>
            <p class="sub">${quoted(whatToDo)}</p>
          </div>
        `,
      )}
      ${recordToSet(view, zone)}
      <div class="row">
        ${
          expectedAt !== null &&
          button({
            label: 'Move the clock there',
            about: `for ${name}`,
            operation: freezeAt(expectedAt),
          })
        }
        ${
          state !== 'active' &&
          button({
            label: 'Verify again',
            about: name,
            operation: { method: 'POST', path: `${path}/verify` },
          })
        }
        ${button({
          label: 'Remove',
          about: name,
          operation: { method: 'DELETE', path },
          dangerous: `Remove ${name} and its redirects? It serves nothing from then on.`,
          done: `${name} is removed.`,
        })}
      </div>
    </li>
  `;
}

const states = [
  ['pending', 'Pending'],
  ['verified', 'Verified'],
  ['certificate-issued', 'Certificate issued'],
  ['active', 'Active'],
] as const satisfies readonly (readonly [DomainView['state'], string])[];

/** The states of a domain in their order, and how far it is. */
function stateList(state: DomainView['state'], name: string): JSX.Element {
  const reached = states.findIndex(([one]) => one === state);
  const items = states.map(([one, title], at) => {
    const current = at === reached ? 'step' : undefined;
    const tone = at > reached ? 'is-vacuous' : 'is-kept';
    return html`
      <li key=${one} class="badge ${tone}" aria-current=${current}>
        ${at + 1}. ${title}${at < reached && html`<span class="heard">, done</span>`}
      </li>
    `;
  });
  return html`<ol class="badges" aria-label="States of ${name}">${items}</ol>`;
}

/** Shows the condition that a domain waits for, or since when it serves. */
function progress({ since, waitsFor, expectedAt }: DomainView): JSX.Element {
  if (waitsFor === null) return html`<p>Serving the reference since ${toUtcText(since)}.</p>`;
  return html`
    <div>
      <p><strong>Waits for: </strong>${quoted(waitsFor)}</p>
      ${expectedAt !== null && html`<p class="sub">Expected at ${toUtcText(expectedAt)}.</p>`}
    </div>
  `;
}

function recordToSet(view: DomainView, zone: Zone | undefined): JSX.Element {
  const { domain: owner, record, problems } = view;
  const { name, types, ttl, value } = record;
  const line = `${name} ${ttl} ${types[0]} ${value}`;
  const isWrong = problems.some(({ clause }) => clause !== 'caa');
  const others = (zone?.records ?? []).filter(
    (one) => one.name !== name || (one.type === 'CAA' && types[0] !== 'CNAME'),
  );
  const records = [...others, { name, type: types[0], ttl, value }];
  return html`
    <div class="row">
      <p>
        <span class="label">Record to set (${types.join(' or ')}): </span>
        <code>${quoted(line)}</code>
      </p>
      ${h(CopyButton, { text: line, about: `the record of ${owner}` })}
      ${
        zone !== undefined &&
        isWrong &&
        button({
          label: 'Set this record',
          about: `of ${owner}`,
          operation: { method: 'PUT', path: 'dns', body: { records } },
          done: `The record of ${owner} is set and replaces others of this name.`,
        })
      }
    </div>
  `;
}

function redirectRow({ from, to, status }: Redirect): JSX.Element {
  return html`
    <li key=${from} class="ends">
      <p>${quoted(`${from} → ${to}`)} <span class="sub">Status ${status}</span></p>
      ${button({
        label: 'Remove',
        about: `the redirect from ${from}`,
        operation: { method: 'DELETE', path: `redirects/${from}` },
        dangerous: `Remove the redirect from ${from}?`,
        done: `The redirect from ${from} is removed.`,
      })}
    </li>
  `;
}

function domainForm(state: PanelState): JSX.Element {
  const { draft, field, clear } = draftOf(state, 'domain', { domain: '' });
  const { domain } = draft;
  return cardForm(
    { id: 'domain-form', title: 'Add a domain' },
    html`
      ${field.text('domain', 'Domain', { placeholder: 'docs.example.com' })}
      ${button({
        label: 'Add the domain',
        isSubmit: true,
        isDisabled: domain === '',
        operation: { method: 'POST', path: 'domains', body: { domain } },
        done: `${domain} is added. Set its record.`,
        onDone: clear,
      })}
    `,
  );
}

function redirectForm(state: PanelState, to: string): JSX.Element {
  return jsonForm(state, {
    id: 'redirect-form',
    title: 'Add a redirect',
    hint: 'From any name to a domain of the project.',
    text: JSON.stringify({ from: 'old.example.com', to, status: 301 }, undefined, 2),
    label: 'Add the redirect',
    toOperation: (text) => ({ method: 'POST', path: 'redirects', text }),
    onDone: (value) => state.say(`The redirect from ${(value as Redirect).from} is added.`),
  });
}

/** A form of the project: its plan, its last deploy, and how long things take. */
function projectForm(state: PanelState, project: Project): JSX.Element {
  return jsonForm(state, {
    id: 'project-form',
    title: 'Project',
    hint: 'Domains need a paid "plan" (pro, business, enterprise), and "deploy" must be "succeeded".',
    text: JSON.stringify(project, undefined, 2),
    label: 'Save the project',
    toOperation: (text) => ({ method: 'PUT', path: 'project', text }),
    done: 'The project is saved.',
  });
}

/** A form of the DNS records of the sandbox, one a line. */
function zoneForm(state: PanelState, { records }: Zone): JSX.Element {
  const lines = records.map((record) => `  ${JSON.stringify(record)}`);
  return jsonForm(state, {
    id: 'zone-form',
    title: 'DNS records',
    hint: 'Each has name, type (A, AAAA, CNAME, ALIAS, ANAME, CAA), ttl and value.',
    text: records.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`,
    label: 'Save the records',
    toOperation: (given) => ({ method: 'PUT', path: 'dns', text: `{"records":${given}}` }),
    done: 'The records are saved.',
  });
}
