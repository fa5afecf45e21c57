import { boundedPageSize } from '../document/stated.ts';
import type { Answered } from '../transcript/exchange.ts';
import { countOf, isList } from '../transcript/items.ts';
import { unescaped } from '../transcript/place.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { probesOf, type Reader, readingOf, toCommonForm, toShortest, varied } from './reading.ts';

type Bounds = { min: number; max: number; default: number };

/** Returns what is wrong with a page size, by its text. */
function faultOf(text: string, { min }: Bounds): string {
  if (text === '0' && min > 0) return 'zero';
  if (!/^-?\d+$/.test(text)) return 'text';
  return Number(text) < min ? 'below' : 'above';
}

/** Ways to treat a page size out of range, each with the resulting page size. */
const meanings: Readonly<Record<string, (text: string, bounds: Bounds) => number>> = {
  clamped: (text, { min, max }) => Math.min(max, Math.max(min, Number(text))),
  ignored: (_, bounds) => bounds.default,
  'empty-list': () => 0,
};

export const readLimitOutOfRange: Reader = (source) => {
  const size = boundedPageSize(source.resource);
  const probes = [...probesOf(source, 'limit-out-of-range').values()].flat();
  if (!size || probes.length === 0) return undefined;
  const bounds = { default: size.min, ...size };
  const whole = answeredFor(source.transcript, 'list').filter(
    ({ case: { purpose }, response }) =>
      purpose.limit === size.max &&
      Object.keys(purpose.filters).length === 0 &&
      response.status === 200,
  );
  const counts = whole.map(countOf);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  // A list of the maximum hides how many items there are.
  const all = most >= size.max ? Number.POSITIVE_INFINITY : most;
  const answers: Record<string, unknown> = {};
  const reasons: string[] = [];
  const byFault = Map.groupBy(probes, ({ request }) => faultOf(textOf(request.path), bounds));
  for (const [fault, shown] of byFault) {
    const listed = shown.filter(isList);
    const sizesBy = (name: string) =>
      listed.map((one) => meanings[name]?.(textOf(one.request.path), bounds) ?? 0);
    const fits = (name: string) =>
      sizesBy(name).every((expected, index) => {
        const length = countOf(listed[index] as Answered);
        return length >= Math.min(expected, fewest) && length <= Math.min(expected, all);
      });
    // Without a number, nothing can be clamped.
    const names = Object.keys(meanings).filter((name) => name !== 'clamped' || fault !== 'text');
    const [meaning, ...others] = names.filter(fits);
    const form = listed.length === 0 ? toCommonForm(shown) : undefined;
    if (form && form.status >= 400) answers[fault] = toShortest(form);
    else if (listed.length === shown.length && meaning !== undefined) {
      const rival = others.find((other) => `${sizesBy(other)}` !== `${sizesBy(meaning)}`);
      if (rival)
        reasons.push(`${fault}: too few items are listed to tell ${meaning} from ${rival}`);
      else answers[fault] = meaning;
    } else reasons.push(`${fault}: ${varied(shown).reason}`);
  }
  return readingOf(answers, { shown: probes, reasons });
};

/** The page size that a request asks for, as it was sent. */
function textOf(path: string): string {
  return unescaped(path.split('=').at(-1) ?? '');
}
