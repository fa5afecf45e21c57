import { h, type JSX } from 'preact';
import type { DomainView } from '../../domains/domain-view.ts';

const steps = [
  ['pending', 'Pending'],
  ['verified', 'Verified'],
  ['certificate-issued', 'Certificate issued'],
  ['active', 'Active'],
] as const satisfies readonly (readonly [DomainView['state'], string])[];

/** The states of a domain in their order, and how far it is. */
export function DomainSteps({
  state,
  name,
}: {
  state: DomainView['state'];
  name: string;
}): JSX.Element {
  const reached = steps.findIndex(([one]) => one === state);
  return h(
    'ol',
    { class: 'domain-steps', 'aria-label': `States of ${name}` },
    ...steps.map(([one, title], at) => {
      const isLast = at === steps.length - 1;
      const standing =
        at < reached || (at === reached && isLast) ? 'done' : at === reached ? 'now' : 'ahead';
      return h(
        'li',
        {
          key: one,
          class: `is-${standing}`,
          ...(at === reached && { 'aria-current': 'step' as const }),
        },
        h(
          'span',
          { class: 'domain-mark', 'aria-hidden': true },
          standing === 'done' ? '✓' : at + 1,
        ),
        title,
        standing === 'done' && !(at === reached) && h('span', { class: 'heard' }, ', done'),
      );
    }),
  );
}
