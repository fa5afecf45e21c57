import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Project, Redirect } from '../../../domains/domains-state.ts';
import type { DomainView } from '../../domains/domain-view.ts';
import { CopyButton, quoted } from '../../pages/browser/parts.ts';
import { toUtcText } from '../../pages/browser/words.ts';
import { ActionButton } from './action-button.ts';
import { freezeAt } from './clock-panel.ts';
import {
  DomainForm,
  projectForm,
  redirectForm,
  redirectRow,
  type Zone,
  zoneForm,
} from './domain-forms.ts';
import { panelList, panelSection, problemLine, usePages } from './panel.ts';
import { useAdmin } from './use-admin.ts';

const noDomain =
  'The project has no domain. Add one to rehearse a custom domain of the service: its DNS records, its certificate and its redirects.';

/** The custom domains of the published project, their records and redirects. */
export function DomainsPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ domains: DomainView[] }>('domains', { every: 1000 });
  const { value: project } = useAdmin<Project>('project', { every: 5000 });
  const { value: zone } = useAdmin<Zone>('dns', { every: 5000 });
  const { value: list } = useAdmin<{ redirects: Redirect[] }>('redirects', { every: 5000 });
  const domains = value?.domains ?? [];
  const redirects = list?.redirects ?? [];
  const [said, say] = useState('');
  const { shown, pager } = usePages(domains, { about: 'domains' });
  const cards = shown.map((view) => domainCard({ view, zone, say }));
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${panelSection(
        { id: 'domain-list', title: 'Domains', said },
        html`
          ${panelList(value && cards, { label: 'Domains', none: noDomain })} ${pager}
          ${
            redirects.length > 0 &&
            html`
              <div class="card stack">
                <h4 id="redirects">Redirects</h4>
                <ul class="stack" aria-labelledby="redirects">
                  ${redirects.map((redirect) => redirectRow(redirect, say))}
                </ul>
              </div>
            `
          }
        `,
      )}
      <div class="cards">
        ${h(DomainForm, { say })}
        ${redirectForm(domains, say)}
        ${project && projectForm(project, say)}
      </div>
      ${zone && zoneForm(zone, say)}
    </div>
  `;
}

type Card = {
  view: DomainView;
  /** The records of DNS, once they are read. */
  zone: Zone | undefined;
  say: (text: string) => void;
};

/** A domain: its state and what it waits for, the record to set, and what is wrong. */
function domainCard({ view, zone, say }: Card): JSX.Element {
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
      ${recordToSet({ view, zone, say })}
      <div class="row">
        ${
          expectedAt !== null &&
          h(ActionButton, {
            label: 'Move the clock there',
            about: `for ${name}`,
            operation: freezeAt(expectedAt),
          })
        }
        ${
          state !== 'active' &&
          h(ActionButton, {
            label: 'Verify again',
            about: name,
            operation: { method: 'POST', path: `${path}/verify` },
          })
        }
        ${h(ActionButton, {
          label: 'Remove',
          about: name,
          operation: { method: 'DELETE', path },
          dangerous: `Remove ${name} and its redirects? It serves nothing from then on.`,
          onDone: () => say(`${name} is removed.`),
        })}
      </div>
    </li>
  `;
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

function recordToSet({ view, zone, say }: Card): JSX.Element {
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
        h(ActionButton, {
          label: 'Set this record',
          about: `of ${owner}`,
          operation: { method: 'PUT', path: 'dns', body: { records } },
          onDone: () => say(`The record of ${owner} is set, in place of others of the name.`),
        })
      }
    </div>
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
