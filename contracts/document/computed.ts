import { wordsOf } from '../../common/words.ts';
import type { Api, Schema } from '../../openapi/index.ts';

/** The last words of property names whose values deployments often compute or change. */
const lastWords = new Set(
  (
    'slug etag version revision hash checksum digest fingerprint permalink ' +
    'total subtotal count average sum rank score age at status state phase stage'
  ).split(' '),
);

/** First words of such names. */
const firstWords = new Set('total computed calculated updated created modified last'.split(' '));

/** Words of descriptions that say so. */
const says =
  /\b(auto[- ]?(generated|matic\w*)|calculated|computed|derived|generated|immutable|maintained|normali[sz]ed|read[- ]?only|recalculated|rounded|slugified|trimmed)\b|\b(assigned|managed|set) by the (api|server|service|system)\b/i;

/** Whether a deployment may compute a property of this name itself. */
export function mayBeComputed(name: string): boolean {
  const words = wordsOf(name);
  const isFullName = words.join('') === 'fullname' || words.join('') === 'etag';
  return isFullName || firstWords.has(words[0] ?? '') || lastWords.has(words.at(-1) ?? '');
}

/** Whether a document says of a property that a deployment computes it, or keeps what it has. */
export function saysComputed({ schemas }: Pick<Api, 'schemas'>, property: Schema = {}): boolean {
  const texts = [property, schemas.resolve(property) as Schema].flatMap((one) => [
    one?.title,
    one?.description,
  ]);
  return (
    schemas.isMarked(property, 'readOnly') || texts.some((text) => says.test(String(text ?? '')))
  );
}
