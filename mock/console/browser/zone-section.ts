import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DnsRecord } from '../../domains/dns-records.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { CardForm } from './card-form.ts';
import { AreaField } from './fields.ts';
import { readZoneText, toZoneText } from './zone-text.ts';

/** The DNS records of the sandbox, and the name server where they are looked up, if there is one. */
export type Zone = { records: readonly DnsRecord[]; dnsServer?: string };

type Say = (text: string) => void;

/** The DNS records of the sandbox: a form, or what was looked up at a name server. */
export function ZoneSection({ zone, say }: { zone: Zone; say: Say }): JSX.Element {
  const { records, dnsServer } = zone;
  return dnsServer === undefined
    ? h(ZoneForm, { records, say })
    : h(LookedUpZone, { records, dnsServer });
}

function LookedUpZone({ records, dnsServer }: Required<Zone>): JSX.Element {
  return h(
    'section',
    { class: 'card stack', 'aria-labelledby': 'zone-form' },
    h('h3', { id: 'zone-form' }, 'DNS records'),
    h(
      'p',
      { class: 'sub' },
      'Looked up at ',
      h('code', null, dnsServer),
      ' (--dns-server) when a domain is added, and when you verify it again. Set them there.',
    ),
    records.length === 0
      ? h('p', { class: 'none' }, 'No record was found yet.')
      : h(
          'pre',
          { tabIndex: 0, 'aria-label': 'Records' },
          h(Shown, { text: toZoneText(records), lines: true }),
        ),
  );
}

/** The DNS records of the sandbox as text, to change. */
function ZoneForm({ records, say }: { records: readonly DnsRecord[]; say: Say }): JSX.Element {
  const [draft, setDraft] = useState<string>();
  const text = draft ?? toZoneText(records);
  const { records: given, problem } = readZoneText(text);
  return h(
    CardForm,
    { id: 'zone-form', title: 'DNS records', kind: 'zone' },
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
