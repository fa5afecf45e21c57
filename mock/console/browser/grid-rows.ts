import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** How many rows are drawn above and below those in sight. */
export const overscan = 4;

/** The height of a row where the style names none. */
const defaultRow = 36;

/** The heights of what is in sight of a scroller, and of a row of it (`--row`), in pixels. */
export function useGridSize(scroller: RefObject<HTMLElement | null>): {
  height: number;
  row: number;
} {
  const [size, setSize] = useState({ height: 0, row: defaultRow });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => {
      const row = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row'));
      setSize({ height: element.clientHeight, row: row || defaultRow });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [scroller]);
  return size;
}

/** The one row that Tab leads to takes the focus, wherever it is scrolled to. */
export function focusActiveRow(scroller: HTMLElement | null): void {
  scroller?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
}

type Rows = {
  /** The row that the keyboard is at. */
  current: number;
  count: number;
  /** How many rows are in sight. */
  inSight: number;
  goTo: (row: number) => void;
  /** Opens the current row; undefined where there is none. */
  open: (() => void) | undefined;
};

/** Moves through the rows of a grid with the keyboard, and opens one. */
export function onGridKey(event: KeyboardEvent, { current, count, inSight, goTo, open }: Rows) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const page = Math.max(1, Math.floor(inSight) - 1);
  const steps: Record<string, number> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: count - 1,
  };
  const step = steps[event.key];
  if (step !== undefined) goTo(step);
  else if ((event.key === 'Enter' || event.key === ' ') && open) open();
  else return;
  event.preventDefault();
}
