import { h, type JSX } from 'preact';
import type { DnsRecord } from '../../domains/dns-records.ts';
import type { DomainView } from '../../domains/domain-view.ts';
import type { Redirect } from '../../domains/domains-state.ts';
import { CopyButton } from '../../page-parts/browser/copy-button.ts';
import { Shown } from '../../page-parts/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { freezeAt } from './clock-operations.ts';
import { DomainSteps } from './domain-steps.ts';

type Props = {
  view: DomainView;
  redirects: readonly Redirect[];
  /** The records of DNS, once they are read. */
  zone: readonly DnsRecord[] | undefined;
  say: (text: string) => void;
};

/** A domain: its state and what it waits for, the record to set, and what is wrong. */
export function DomainCard({ view, redirects, zone, say }: Props): JSX.Element {
  const { domain, kind, state, since, waitsFor, expectedAt, problems } = view;
  const path = `domains/${domain}`;
  const lost = redirects.filter(({ from, to }) => from === domain || to === domain);
  return h(
    'li',
    { class: 'card stack domain' },
    h(
      'div',
      { class: 'domain-title' },
      h('h4', null, h(Shown, { text: domain })),
      h('span', { class: 'sub' }, kind === 'apex' ? 'Apex' : 'Subdomain'),
    ),
    h(DomainSteps, { state, name: domain }),
    waitsFor === null
      ? h('p', null, 'Serving the reference since ', h(Instant, { at: since }), '.')
      : h(
          'div',
          null,
          h('p', null, h('strong', null, 'Waits for: '), h(Shown, { text: waitsFor })),
          expectedAt !== null &&
            h('p', { class: 'sub' }, 'Expected at ', h(Instant, { at: expectedAt }), '.'),
        ),
    problems.length > 0 &&
      h(
        'ul',
        { class: 'domain-problems', 'aria-label': `Problems of ${domain}` },
        ...problems.map(({ code, message, whatToDo, blocks }) =>
          h(
            'li',
            { key: code, class: blocks ? 'is-drift' : 'is-difference' },
            h('p', null, h(Shown, { text: message })),
            h('p', { class: 'sub' }, h(Shown, { text: whatToDo })),
          ),
        ),
      ),
    h(RecordToSet, { view, zone, say }),
    h(
      'div',
      { class: 'row' },
      expectedAt !== null &&
        h(ActionButton, {
          label: 'Move the clock there',
          about: `for ${domain}`,
          operation: freezeAt(expectedAt),
        }),
      state !== 'active' &&
        h(ActionButton, {
          label: 'Verify again',
          about: domain,
          operation: { method: 'POST', path: `${path}/verify` },
        }),
      h(ActionButton, {
        label: 'Remove',
        about: domain,
        operation: { method: 'DELETE', path },
        dangerous: `Remove ${domain}${lost.length > 0 ? ` and its redirects (${lost.length})` : ''}? It serves nothing from then on.`,
        onDone: () => say(`${domain} is removed.`),
      }),
    ),
  );
}

function RecordToSet({ view, zone, say }: Omit<Props, 'redirects'>): JSX.Element {
  const { domain, record } = view;
  const { name, types, ttl, value } = record;
  const cells = [
    ['Type', types.join(' or '), types[0] ?? ''],
    ['Name', name, name],
    ['TTL', String(ttl), String(ttl)],
    ['Value', value, value],
  ] as const;
  const others = (zone ?? []).filter((one) => one.name !== name || one.type === 'CAA');
  const isSet = zone?.some(
    (one) => one.name === name && one.value === value && types.some((type) => type === one.type),
  );
  return h(
    'div',
    { class: 'domain-record' },
    h(
      'dl',
      { 'aria-label': `The record to set for ${domain}` },
      ...cells.map(([title, shown, copied]) =>
        h(
          'div',
          { key: title },
          h('dt', null, title),
          h(
            'dd',
            null,
            h('code', null, h(Shown, { text: shown })),
            h(CopyButton, { text: copied, about: `the ${title.toLowerCase()} of ${domain}` }),
          ),
        ),
      ),
    ),
    zone !== undefined &&
      isSet === false &&
      h(ActionButton, {
        label: 'Set this record',
        about: `of ${domain}`,
        operation: {
          method: 'PUT',
          path: 'dns',
          body: { records: [...others, { name, type: types[0], ttl, value }] },
        },
        onDone: () => say(`The record of ${domain} is set, in place of others of the name.`),
      }),
  );
}

function Instant({ at }: { at: string }): JSX.Element {
  return h('time', { dateTime: at }, `${at.slice(0, 19).replace('T', ' ')} UTC`);
}
