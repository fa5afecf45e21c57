import { type ComponentChildren, h, type JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { SelectField, TextField } from './fields.ts';
import { noFilter, none, type RequestFilter } from './request-filter.ts';
import type { RequestLog } from './request-log.ts';

type Props = {
  filter: RequestFilter;
  seen: ReturnType<RequestLog['seen']>;
  onFilter: (filter: RequestFilter) => void;
  /** What stands beside the fields, and is folded with them. */
  children?: ComponentChildren;
};

/** The fields that say which requests are shown; they offer what was seen so far. */
export function RequestFilters({ filter, seen, onFilter, children }: Props): JSX.Element {
  const field = (name: keyof RequestFilter) => ({
    value: filter[name],
    onValue: (value: string) => onFilter({ ...filter, [name]: value }),
  });
  const id = useId();
  // Narrow pages have no room for all fields.
  const [isUnfolded, setUnfolded] = useState(false);
  const chosen = [filter.operation, filter.status, filter.key].filter((value) => value !== '');
  const isFiltered = chosen.length > 0 || filter.text !== '';
  return h(
    'div',
    {
      class: isUnfolded ? 'live-filters is-unfolded' : 'live-filters',
      role: 'search',
      'aria-label': 'Requests',
    },
    h(TextField, { label: 'Text in method, URL or reason', kind: 'search', ...field('text') }),
    h(
      'button',
      {
        type: 'button',
        class: 'unfold',
        'aria-expanded': isUnfolded,
        'aria-controls': id,
        onClick: () => setUnfolded(!isUnfolded),
      },
      chosen.length === 0 ? 'Filters' : `Filters (${chosen.length})`,
    ),
    h(
      'div',
      { class: 'folds', id },
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
      children,
    ),
    isFiltered &&
      h('button', { type: 'button', onClick: () => onFilter(noFilter) }, 'Show all requests'),
  );
}
