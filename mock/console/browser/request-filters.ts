import { h, type JSX } from 'preact';
import { SelectField, TextField } from './fields.ts';
import { noFilter, none, type RequestFilter } from './request-filter.ts';
import type { RequestLog } from './request-log.ts';

type Props = {
  filter: RequestFilter;
  seen: ReturnType<RequestLog['seen']>;
  onFilter: (filter: RequestFilter) => void;
};

/** The fields that say which requests are shown; they offer what was seen so far. */
export function RequestFilters({ filter, seen, onFilter }: Props): JSX.Element {
  const field = (name: keyof RequestFilter) => ({
    value: filter[name],
    onValue: (value: string) => onFilter({ ...filter, [name]: value }),
  });
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return h(
    'div',
    { class: 'live-filters', role: 'search', 'aria-label': 'Requests' },
    h(SelectField, {
      label: 'Operation',
      options: [['', 'All'], ...seen.operations, [none, 'None']],
      ...field('operation'),
    }),
    h(SelectField, {
      label: 'Status',
      options: [['', 'All'], '2xx', '3xx', '4xx', '5xx', ...seen.statuses, [none, 'No response']],
      ...field('status'),
    }),
    h(SelectField, {
      label: 'Key',
      options: [['', 'All'], ...seen.keys, [none, 'None']],
      ...field('key'),
    }),
    h(TextField, { label: 'Text in method, URL or reason', kind: 'search', ...field('text') }),
    isFiltered &&
      h('button', { type: 'button', onClick: () => onFilter(noFilter) }, 'Show all requests'),
  );
}
