import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import type { DomainView, RedirectView } from '../../domains/domain-view.ts';
import { CopyButton, quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { freezeAt } from './clock-panel.ts';
import type { Zone } from './domain-forms.ts';

type CardProps = {
  view: DomainView;
  redirects: readonly RedirectView[];
  /** The records of DNS, once they are read. */
  zone: Zone | undefined;
  say: (text: string) => void;
};

/** A domain: its state and what it waits for, the record to set, and what is wrong. */
export function DomainCard({ view, redirects, zone, say }: CardProps): JSX.Element {
  const { domain, unicodeName = domain, kind, state, since, waitsFor, expectedAt } = view;
  const { problems } = view;
  const isLookedUp = zone?.dnsServer !== undefined;
  const path = `domains/${domain}`;
  const lost = redirects.filter(({ from, to }) => from === domain || to === domain);
  return html`
    <li class="card stack domain">
      <div class="domain-title">
        <h4>${quoted(unicodeName)}</h4>
        <span class="sub">${kind === 'apex' ? 'Apex' : 'Subdomain'}</span>
        ${unicodeName !== domain && html`<span class="sub">In DNS: ${domain}</span>`}
      </div>
      ${h(DomainSteps, { state, name: unicodeName })}
      ${
        waitsFor === null
          ? html`<p>Serving the reference since ${h(Instant, { at: since })}.</p>`
          : html`
            <div>
              <p>
                <strong>Waits for: </strong>
                ${quoted(waitsFor)}
              </p>
              ${
                expectedAt !== null &&
                html`<p class="sub">Expected at ${h(Instant, { at: expectedAt })}.</p>`
              }
              ${
                isLookedUp &&
                state === 'pending' &&
                html`
                  <p class="sub">Once they are right, verify again: only then are they looked up.</p>
                `
              }
            </div>
          `
      }
      ${
        problems.length > 0 &&
        html`
          <ul class="domain-problems" aria-label="Problems of ${unicodeName}">
            ${problems.map(
              ({ code, message, whatToDo, blocks }) =>
                html`
                  <li key=${code} class=${blocks ? 'is-drift' : 'is-difference'}>
                    <p>${quoted(message)}</p>
                    <p class="sub">${quoted(whatToDo)}</p>
                  </li>
                `,
            )}
          </ul>
        `
      }
      ${h(RecordToSet, { view, zone, say })}
      <div class="row">
        ${
          expectedAt !== null &&
          h(ActionButton, {
            label: 'Move the clock there',
            about: `for ${unicodeName}`,
            operation: freezeAt(expectedAt),
          })
        }
        ${
          (state !== 'active' || isLookedUp) &&
          h(ActionButton, {
            label: 'Verify again',
            about: unicodeName,
            operation: { method: 'POST', path: `${path}/verify` },
          })
        }
        ${h(ActionButton, {
          label: 'Remove',
          about: unicodeName,
          operation: { method: 'DELETE', path },
          dangerous: `Remove ${unicodeName}${lost.length > 0 ? ` and its redirects (${lost.length})` : ''}? It serves nothing from then on.`,
          onDone: () => say(`${unicodeName} is removed.`),
        })}
      </div>
    </li>
  `;
}

function RecordToSet({ view, zone, say }: Omit<CardProps, 'redirects'>): JSX.Element {
  const { domain, unicodeName = domain, record, problems } = view;
  const { name, types, ttl, value } = record;
  const cells = [
    ['Type', 'type', types.join(' or '), types[0] ?? ''],
    ['Name', 'name', name, name],
    ['TTL', 'TTL', String(ttl), String(ttl)],
    ['Value', 'value', value, value],
  ] as const;
  const isWrong = problems.some(({ clause }) => clause !== 'caa');
  return html`
    <div class="domain-record">
      <dl aria-label="The record to set for ${unicodeName}">
        ${cells.map(
          ([title, what, shown, copied]) =>
            html`
              <div key=${title}>
                <dt>${title}</dt>
                <dd>
                  <code>${quoted(shown)}</code>
                  ${h(CopyButton, { text: copied, about: `the ${what} of ${unicodeName}` })}
                </dd>
              </div>
            `,
        )}
      </dl>
      ${
        zone !== undefined &&
        zone.dnsServer === undefined &&
        isWrong &&
        h(ActionButton, {
          label: 'Set this record',
          about: `of ${unicodeName}`,
          operation: { method: 'PUT', path: 'dns', body: { records: withRecord(zone, record) } },
          onDone: () => say(`The record of ${unicodeName} is set, in place of others of the name.`),
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

function Instant({ at }: { at: string }): JSX.Element {
  return html`<time dateTime=${at}>${at.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

const steps = [
  ['pending', 'Pending'],
  ['verified', 'Verified'],
  ['certificate-issued', 'Certificate issued'],
  ['active', 'Active'],
] as const satisfies readonly (readonly [DomainView['state'], string])[];

/** The states of a domain in their order, and how far it is. */
function DomainSteps({ state, name }: { state: DomainView['state']; name: string }): JSX.Element {
  const reached = steps.findIndex(([one]) => one === state);
  return html`
    <ol class="domain-steps" aria-label="States of ${name}">
      ${steps.map(([one, title], at) => {
        const isLast = at === steps.length - 1;
        const standing =
          at < reached || (at === reached && isLast) ? 'done' : at === reached ? 'now' : 'ahead';
        return html`
          <li
            key=${one}
            class="is-${standing}"
            ...${at === reached && { 'aria-current': 'step' as const }}
          >
            <span class="domain-mark" aria-hidden="true">
              ${standing === 'done' ? '✓' : at + 1}
            </span>
            ${title}
            ${standing === 'done' && !(at === reached) && html`<span class="heard">, done</span>`}
          </li>
        `;
      })}
    </ol>
  `;
}
