import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import type { Project } from '../../../domains/domains-state.ts';
import type { DomainView, RedirectView } from '../../domains/domain-view.ts';
import { CopyButton, quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { freezeAt } from './clock-panel.ts';
import { DomainForm, ProjectForm, RedirectsForm, type Zone, zoneSection } from './domain-forms.ts';
import { panelList, panelSection, problemLine, useNotice, usePages } from './panel.ts';
import { useAdmin } from './use-admin.ts';

const noDomain =
  'The project has no domain. Add one to rehearse a custom domain of the service: its DNS records, its certificate and its redirects.';

/** The custom domains of the published project, their records and redirects. */
export function DomainsPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ domains: DomainView[] }>('domains', { every: 1000 });
  const { value: project } = useAdmin<Project>('project', { every: 5000 });
  const { value: zone } = useAdmin<Zone>('dns', { every: 5000 });
  const { value: list } = useAdmin<{ redirects: RedirectView[] }>('redirects', { every: 5000 });
  const domains = value?.domains ?? [];
  const redirects = list?.redirects ?? [];
  const notice = useNotice();
  const { shown, pager } = usePages(domains, { about: 'domains' });
  const say = notice.setText;
  const cards = shown.map((view) => domainCard({ view, redirects, zone, say: notice.show }));
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${panelSection(
        { id: 'domain-list', title: 'Domains', notice },
        html`${panelList(value && cards, { label: 'Domains', none: noDomain })}${pager}`,
      )}
      <div class="cards">
        ${h(DomainForm, { say })}
        ${project && h(ProjectForm, { project, say })}
        ${h(RedirectsForm, { redirects, domains, say: notice.show })}
      </div>
      ${zone && zoneSection(zone, say)}
    </div>
  `;
}

type Card = {
  view: DomainView;
  redirects: readonly RedirectView[];
  /** The records of DNS, once they are read. */
  zone: Zone | undefined;
  say: (text: string) => void;
};

/** A domain: its state and what it waits for, the record to set, and what is wrong. */
function domainCard({ view, redirects, zone, say }: Card): JSX.Element {
  const { domain, unicodeName: name = domain, kind, state, expectedAt, problems } = view;
  const isLookedUp = zone?.dnsServer !== undefined;
  const path = `domains/${domain}`;
  const lost = redirects.filter(({ from, to }) => from === domain || to === domain);
  const andRedirects = lost.length > 0 ? ` and its redirects (${lost.length})` : '';
  const wrong = problems.map(
    ({ code, message, whatToDo, blocks }) => html`
      <li key=${code} class=${blocks ? 'is-drift' : 'is-difference'}>
        <p>${quoted(message)}</p>
        <p class="sub">${quoted(whatToDo)}</p>
      </li>
    `,
  );
  return html`
    <li key=${domain} class="card stack domain">
      <div class="domain-title">
        <h4>${quoted(name)}</h4>
        <span class="sub">${kind === 'apex' ? 'Apex' : 'Subdomain'}</span>
        ${name !== domain && html`<span class="sub">In DNS: ${domain}</span>`}
      </div>
      ${domainSteps(state, name)}
      ${progress(view, { isLookedUp })}
      ${
        wrong.length > 0 &&
        html`<ul class="domain-problems" aria-label="Problems of ${name}">${wrong}</ul>`
      }
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
          (state !== 'active' || isLookedUp) &&
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
          dangerous: `Remove ${name}${andRedirects}? It serves nothing from then on.`,
          onDone: () => say(`${name} is removed.`),
        })}
      </div>
    </li>
  `;
}

/** What a domain waits for, or since when it serves. */
function progress(
  { state, since, waitsFor, expectedAt }: DomainView,
  { isLookedUp }: { isLookedUp: boolean },
): JSX.Element {
  if (waitsFor === null) return html`<p>Serving the reference since ${instant(since)}.</p>`;
  const hint = 'Once they are right, verify again: only then are they looked up.';
  return html`
    <div>
      <p><strong>Waits for: </strong>${quoted(waitsFor)}</p>
      ${expectedAt !== null && html`<p class="sub">Expected at ${instant(expectedAt)}.</p>`}
      ${isLookedUp && state === 'pending' && html`<p class="sub">${hint}</p>`}
    </div>
  `;
}

function recordToSet({ view, zone, say }: Omit<Card, 'redirects'>): JSX.Element {
  const { domain, unicodeName: owner = domain, record, problems } = view;
  const { name, types, ttl, value } = record;
  const [type = ''] = types;
  const cells = [
    ['Type', 'type', types.join(' or '), type],
    ['Name', 'name', name, name],
    ['TTL', 'TTL', String(ttl), String(ttl)],
    ['Value', 'value', value, value],
  ] as const;
  const isWrong = problems.some(({ clause }) => clause !== 'caa');
  const isSettable = zone !== undefined && zone.dnsServer === undefined && isWrong;
  return html`
    <div class="domain-record">
      <dl aria-label="The record to set for ${owner}">
        ${cells.map(
          ([title, what, shown, text]) => html`
            <div key=${title}>
              <dt>${title}</dt>
              <dd>
                <code>${quoted(shown)}</code>
                ${h(CopyButton, { text, about: `the ${what} of ${owner}` })}
              </dd>
            </div>
          `,
        )}
      </dl>
      ${
        isSettable &&
        h(ActionButton, {
          label: 'Set this record',
          about: `of ${owner}`,
          operation: { method: 'PUT', path: 'dns', body: { records: withRecord(zone, record) } },
          onDone: () => say(`The record of ${owner} is set, in place of others of the name.`),
        })
      }
    </div>
  `;
}

/** The records with this one in place of those of its name that cannot be beside it. */
function withRecord({ records }: Zone, { name, types, ttl, value }: DomainView['record']) {
  const [type] = types;
  const others = records.filter(
    (one) => one.name !== name || (one.type === 'CAA' && type !== 'CNAME'),
  );
  return [...others, { name, type, ttl, value }];
}

function instant(at: string): JSX.Element {
  return html`<time datetime=${at}>${at.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

const steps = [
  ['pending', 'Pending'],
  ['verified', 'Verified'],
  ['certificate-issued', 'Certificate issued'],
  ['active', 'Active'],
] as const satisfies readonly (readonly [DomainView['state'], string])[];

/** The states of a domain in their order, and how far it is. */
function domainSteps(state: DomainView['state'], name: string): JSX.Element {
  const reached = steps.findIndex(([one]) => one === state);
  const items = steps.map(([one, title], at) => {
    const isNow = at === reached;
    const isDone = at < reached || (isNow && at === steps.length - 1);
    const standing = isNow ? 'is-now' : 'is-ahead';
    return html`
      <li key=${one} class=${isDone ? 'is-done' : standing} aria-current=${isNow ? 'step' : undefined}>
        <span class="domain-mark" aria-hidden="true">${isDone ? '✓' : at + 1}</span>
        ${title}
        ${isDone && !isNow && html`<span class="heard">, done</span>`}
      </li>
    `;
  });
  return html`<ol class="domain-steps" aria-label="States of ${name}">${items}</ol>`;
}
