import { count } from '../cli/count.ts';
import { toExcerpt } from '../look/visible.ts';

/** Which addresses recorded calls went to, for where none went to the target. */
export interface Origins {
  note(url: string): void;
  /** What was called instead, in a sentence. */
  describe(): string;
}

/** Addresses beyond these are not counted, and fewer are named. */
const maxOrigins = 200;
const maxNamed = 5;

export function createOrigins(): Origins {
  const calls = new Map<string, number>();
  return {
    note(url) {
      const origin = URL.parse(url)?.origin ?? 'no address';
      if (calls.has(origin) || calls.size < maxOrigins)
        calls.set(origin, (calls.get(origin) ?? 0) + 1);
    },
    describe() {
      if (calls.size === 0) return 'It holds no call at all.';
      const most = [...calls].toSorted(([, left], [, right]) => right - left).slice(0, maxNamed);
      const named = most.map(
        ([origin, times]) => `${toExcerpt(origin, 80)} (${count(times, 'call')})`,
      );
      return `What was called: ${named.join(', ')}${calls.size > maxNamed ? ` and ${calls.size - maxNamed} more` : ''}.`;
    },
  };
}
