import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';

/**
 * Shows a long list a page at a time. `about` says what is listed, e.g. `keys`; there is no pager
 * where one page holds all.
 */
export function usePages<T>(
  items: readonly T[],
  { about, size = 25 }: { about: string; size?: number },
): { shown: readonly T[]; pager: JSX.Element | undefined } {
  const [wanted, setWanted] = useState(0);
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(wanted, pages - 1);
  const turn = (label: string, to: number) =>
    h(
      'button',
      {
        type: 'button',
        // A button that is disabled loses the focus of who pressed it.
        'aria-disabled': to < 0 || to >= pages,
        onClick: () => to >= 0 && to < pages && setWanted(to),
      },
      label,
    );
  return {
    shown: items.slice(page * size, (page + 1) * size),
    pager:
      pages === 1
        ? undefined
        : h(
            'nav',
            { class: 'pager', 'aria-label': `Pages of ${about}` },
            turn('Previous', page - 1),
            h('p', { role: 'status' }, `Page ${page + 1} of ${pages}`),
            turn('Next', page + 1),
          ),
  };
}
